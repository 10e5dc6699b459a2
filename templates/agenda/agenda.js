/* Keys for the agenda and the month: arrows go back and forth, T goes to today. */

document.documentElement.classList.add('scripted')

/** @type {Readonly<Record<string, string>>} */
const targets = { ArrowLeft: '[rel="prev"]', ArrowRight: '[rel="next"]', t: '[data-today]' }

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
  if (ctrlKey || metaKey || altKey || shiftKey) return
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
  const link = document.querySelector(targets[key] ?? '[data-no-key]')
  if (link instanceof HTMLAnchorElement) link.click()
})

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-print]')) print()
})
