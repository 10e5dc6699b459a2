/* Copies addresses, and shows those with other options as soon as somebody chooses them. */

const copiedShownMs = 2_000

document.documentElement.classList.add('scripted')

/** For those who do not see what has changed. */
function say(near, text) {
  near.closest('article, section').querySelector('[role="status"]').textContent = text
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy)
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
  } catch {
    // Only pages that came by https have a clipboard.
    document.execCommand('copy')
  }
  const label = [...button.childNodes]
  button.replaceChildren('Copied')
  say(button, 'Copied')
  setTimeout(() => button.replaceChildren(...label), copiedShownMs)
}

/** As it would be after the form was sent. */
async function sectionAt(address, id) {
  const response = await fetch(address)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return page.querySelector(`#${id} .result`)
}

let latest = 0

/** The page knows its feeds' addresses with any options; what it says replaces what is shown. */
async function compose(form) {
  const number = (latest += 1)
  const section = form.closest('article')
  const chosen = [...new FormData(form)].filter(([, value]) => value !== '')
  const address = chosen.length > 1 ? `./?${new URLSearchParams(chosen)}` : './'
  const result = await sectionAt(address, section.id).catch(() => undefined)
  if (number !== latest) return
  // Whatever is wrong, addresses that are not those chosen must not stay.
  if (!result) return form.submit()
  const before = section.querySelector('.result')
  result.querySelector('details').open = before.querySelector('details').open
  before.replaceWith(result)
  history.replaceState(null, '', `${address}#${section.id}`)
  say(
    form,
    result.querySelector('[role="alert"]')?.textContent ?? 'The addresses have been updated',
  )
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]')
  if (button && !button.textContent.startsWith('Copied')) void copy(button)
  if (target.closest('[data-print]')) print()
})

document.addEventListener('change', ({ target }) => {
  const form = target.closest('form[data-compose]')
  if (form) void compose(form)
  // Who chooses some does not mean all.
  const some = target.name === 'feed' && target.form.querySelector('[value="some"]')
  if (some && target.checked) some.checked = true
})
