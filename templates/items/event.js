/* Shares an event's page, and offers Google Calendar first on Android, whose calendars cannot open files. */

const copiedShownMs = 2_000

document.documentElement.classList.add('scripted')

const add = document.querySelector('[data-android]')
const google = document.querySelector('.add .pills a')
if (add instanceof HTMLAnchorElement && /Android/.test(navigator.userAgent)) {
  if (google instanceof HTMLAnchorElement) {
    google.href = add.href
    google.textContent = add.textContent
    google.removeAttribute('target')
  }
  add.href = add.dataset['android'] ?? add.href
  add.textContent = add.dataset['androidLabel'] ?? ''
}

const share = document.querySelector('[data-share]')
if (share instanceof HTMLButtonElement && 'share' in navigator) share.hidden = false

/** @param {string} text */
function say(text) {
  const status = document.querySelector('[role="status"]')
  if (status) status.textContent = text
}

/** @param {HTMLElement} button */
async function copy(button) {
  const { copied = '' } = button.dataset
  try {
    await navigator.clipboard.writeText(button.dataset['copyUrl'] ?? '')
  } catch {
    // The Clipboard API requires https.
    return say(button.dataset['byHand'] ?? '')
  }
  const label = button.textContent
  button.textContent = copied
  say(copied)
  setTimeout(() => (button.textContent = label), copiedShownMs)
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLElement)) return
  const { share: url, title = '', copyUrl } = target.dataset
  // Rejects if the person closes the dialog.
  if (url !== undefined) void navigator.share({ title, url }).catch(() => undefined)
  if (copyUrl !== undefined && target.textContent !== target.dataset['copied']) void copy(target)
})
