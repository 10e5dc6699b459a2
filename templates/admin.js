/* Previews of what an admin enters. */

/**
 * Shows how a color looks on pages, with the contrast of text.
 * @param {string} color
 */
async function previewColor(color) {
  const response = await fetch(`?${new URLSearchParams({ color })}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const selector of ['#color-preview', '[data-color]']) {
    const latest = page.querySelector(selector)
    if (latest) document.querySelector(selector)?.replaceWith(latest)
  }
}

document.addEventListener('change', ({ target }) => {
  const field = document.querySelector('input[name="color"]')
  if (!(target instanceof HTMLInputElement) || !(field instanceof HTMLInputElement)) return
  if (target.matches('[data-color]')) field.value = target.value.slice(1)
  if (target === field || target.matches('[data-color]')) void previewColor(field.value)
})

const format = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  hour: 'numeric',
  minute: '2-digit',
})

/** Shows a preview of the emergency text on screens. */
function mirror() {
  for (const copy of document.querySelectorAll('[data-copy-of]')) {
    const field = document.getElementById(copy.getAttribute('data-copy-of') ?? '')
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue
    const { type, value } = field
    const isTime = type === 'datetime-local' && value !== ''
    copy.textContent = isTime ? format.format(new Date(value)) : value
  }
}

mirror()
document.addEventListener('input', mirror)
