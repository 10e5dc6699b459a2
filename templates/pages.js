/* Copies addresses to the clipboard, and updates them when options change. */

const copiedShownMs = 2_000

/** Messages in the page's language (script-texts.eta). Admin pages have none. */
const texts = {
  copied: 'Copied',
  addressesUpdated: 'The addresses have been updated',
  ...JSON.parse(document.getElementById('texts')?.textContent ?? '{}'),
}

document.documentElement.classList.add('scripted')

const sections = 'article, section'

/**
 * Announces a change to screen readers.
 * @param {Element} near
 * @param {string} text
 */
function say(near, text) {
  for (
    let part = near.closest(sections);
    part;
    part = part.parentElement?.closest(sections) ?? null
  ) {
    const status = part.querySelector('[role="status"]')
    if (status) {
      status.textContent = text
      return
    }
  }
}

/** @param {HTMLElement} button */
async function copy(button) {
  const field = document.getElementById(button.dataset['copy'] ?? '')
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  field.closest('details')?.setAttribute('open', '')
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
  } catch {
    // The Clipboard API requires https.
    document.execCommand('copy')
  }
  const label = [...button.childNodes]
  button.replaceChildren(texts.copied)
  say(button, texts.copied)
  setTimeout(() => button.replaceChildren(...label), copiedShownMs)
}

/** Opens the section in the page's URL. Some browsers do that themselves. */
function reveal() {
  const target = document.getElementById(location.hash.slice(1))
  target?.closest('details')?.setAttribute('open', '')
}

/**
 * Returns a form's result from the page that submitting the form would load.
 * @param {string} address
 * @param {string} id
 */
async function resultAt(address, id) {
  const response = await fetch(address)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return page.querySelector(`#${id} .result`)
}

/** @param {Element} result */
const detailsIn = (result) => result.querySelector('details')

let latest = 0

/**
 * Replaces the URLs below a form with those for the selected options.
 * @param {HTMLFormElement} form
 */
async function compose(form) {
  const number = (latest += 1)
  const section = form.closest('article')
  const before = section?.querySelector('.result')
  if (!section || !before) return form.submit()
  const chosen = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  const [path = ''] = (form.getAttribute('action') ?? '').split('#')
  // Without selected options, a feed's form has the page's own URLs.
  const isUnchanged = chosen.every(([name]) => name === 'feed')
  const address = isUnchanged ? path : `${path}?${new URLSearchParams(chosen)}`
  const result = await resultAt(address, section.id).catch(() => undefined)
  if (number !== latest) return
  // If an update fails, outdated URLs must not stay on the page.
  if (!result) return form.submit()
  detailsIn(result)?.toggleAttribute('open', detailsIn(before)?.open)
  before.replaceWith(result)
  history.replaceState(null, '', `${address}#${section.id}`)
  say(form, result.querySelector('[role="alert"]')?.textContent ?? texts.addressesUpdated)
}

reveal()
addEventListener('hashchange', reveal)

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const button = target.closest('[data-copy]')
  if (button instanceof HTMLElement && button.textContent !== texts.copied) void copy(button)
  if (target.closest('[data-print]')) print()
  if (target.closest('[data-close]')) target.closest('dialog')?.close()
})

// A link to a page also works as a button that opens a dialog with the same form.
document.addEventListener('click', (event) => {
  const { target } = event
  const opener = target instanceof Element ? target.closest('[data-dialog]') : null
  if (!(opener instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return
  const dialog = document.getElementById(opener.dataset['dialog'] ?? '')
  if (!(dialog instanceof HTMLDialogElement)) return
  event.preventDefault()
  dialog.showModal()
})

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  const form = target.closest('form')
  if (form?.matches('[data-compose]')) void compose(form)
  // Choosing a single feed in the admin's link form means "some feeds".
  if (target.name !== 'feed') return
  const some = form?.querySelector('[value="some"]')
  if (some instanceof HTMLInputElement && target.matches(':checked')) some.checked = true
})
