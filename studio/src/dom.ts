// Short forms for finding and making elements.

/** The element with this id. The page is static, so the element always exists. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element "${id}"`)
  return element as T
}

/** All elements that match a selector. */
export function all(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
}

/** A new element with text and class. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, text = '', className = '') {
  const element = document.createElement(tag)
  element.textContent = text
  element.className = className
  return element
}

/** The value of a CSS colour variable, such as `ink` for `--ink`. */
export function cssColour(name: string) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue('--' + name)
    .trim()
}
