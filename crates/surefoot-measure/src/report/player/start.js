// Starts the player. Where a script cannot run, the page shows the still picture instead.

const island = document.getElementById('motion')
if (island) {
  document.documentElement.classList.add('plays')
  startPlayer(document.querySelector('.player'), JSON.parse(island.textContent))
}
