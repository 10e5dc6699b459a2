/* Previews of what an admin enters. */

/**
 * Shows what the server makes of a value that has not been saved.
 * @param {Record<string, string>} entered
 * @param {...string} selectors Parts of the page to replace.
 */
async function preview(entered, ...selectors) {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(entered)) query.set(name, value)
  const response = await fetch(`?${query}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const selector of selectors) {
    const latest = page.querySelector(selector)
    if (latest) document.querySelector(selector)?.replaceWith(latest)
  }
}

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  if (target.id === 'alarm-until') void preview({ until: target.value }, '#alarm-end')
  const field = document.querySelector('input[name="color"]')
  if (!(field instanceof HTMLInputElement)) return
  if (target.matches('[data-color]')) field.value = target.value.slice(1)
  if (target === field || target.matches('[data-color]'))
    void preview({ color: field.value }, '#color-preview', '[data-color]')
})

/** Shows a preview of the emergency text on screens as it is entered. */
function mirror() {
  for (const copy of document.querySelectorAll('[data-copy-of]')) {
    const field = document.getElementById(copy.getAttribute('data-copy-of') ?? '')
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue
    copy.textContent = field.value
  }
}

mirror()
document.addEventListener('input', mirror)
