// The dialog for the size of a floor image, which the image file does not hold.

import { byId } from '../dom'

/** Settings that give a floor image its size. */
export interface ImageSize {
  floor_cell: FormDataEntryValue | null
  floor_height: FormDataEntryValue | null
}

const FORM = `<form method="dialog">
<h3></h3>
<p>Pixels of an image have no size. Enter the size of a pixel and the heights of black and white:</p>
<label class="set"><span>Side of a pixel</span><input name="cell" value="5cm" /></label>
<label class="set"><span>Heights of black..white</span><input name="heights" value="0..50cm" /></label>
<menu><button value="">Cancel</button><button class="main" value="use">Use this floor</button></menu>
</form>`

/** Asks for the size of an image; calls `use` unless the user cancels. */
export function askImageSize(name: string, use: (size: ImageSize) => void) {
  const dialog = byId<HTMLDialogElement>('list')
  dialog.innerHTML = FORM
  const heading = dialog.querySelector('h3')
  if (heading) heading.textContent = name
  dialog.onclose = () => {
    dialog.onclose = null
    const form = dialog.querySelector('form')
    if (dialog.returnValue !== 'use' || !form) return
    const values = new FormData(form)
    use({ floor_cell: values.get('cell'), floor_height: values.get('heights') })
  }
  dialog.returnValue = ''
  dialog.showModal()
}
