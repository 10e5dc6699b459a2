/* Saves single entries in this browser, and shows links to a calendar with these entries. */

const section = document.querySelector('[data-kept]')
const {
  kept: own = '',
  max = '0',
  url = location.href,
  save = '',
  saved: savedTitle = '',
} = section instanceof HTMLElement ? section.dataset : {}
const isList = own === '_'
const full = section?.querySelector('[role=alert]')
const summary = section?.querySelector('summary')
const title = summary?.textContent ?? ''
const links = [...(section?.querySelectorAll('a') ?? [])].map((link) => ({ link, href: link.href }))

/** Includes the path, because several sites can have the same origin. */
const key = `kept ${new URL(url).pathname}`

/** @returns {readonly string[]} */
function savedIds() {
  try {
    const ids = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => /^[a-z][a-z\d-]*-\d+$/.test(id)) : []
  } catch {
    return []
  }
}

/** @param {string} id */
function toggle(id) {
  const ids = savedIds()
  const others = ids.filter((each) => each !== id)
  const isFull = others.length >= Number(max)
  if (full instanceof HTMLElement) {
    full.hidden = !isFull
    full.textContent = isFull ? (full.dataset['text'] ?? '') : ''
    if (isFull) full.scrollIntoView({ block: 'nearest' })
  }
  if (isFull) return showSaved()
  const changed = others.length < ids.length ? others : [...others, id]
  try {
    localStorage.setItem(key, JSON.stringify(changed))
  } catch {
    // Storage is not available. The links still add the page's own entry.
  }
  showSaved()
}

function showSaved() {
  const ids = savedIds()
  const isListed = isList || ids.includes(own) || ids.length >= Number(max)
  const listed = isListed ? ids : [...ids, own]
  for (const { link, href } of links) {
    link.href = href
      .replace(`ids=${own}`, `ids=${listed.join(',')}`)
      .replace(`ids%3D${own}`, `ids%3D${listed.join('%2C')}`)
  }
  if (summary) {
    summary.textContent = ids.length > 0 ? savedTitle.replace('{n}', String(listed.length)) : title
  }
  section?.toggleAttribute('hidden', isList && ids.length === 0)
  for (const star of document.querySelectorAll('[data-star]')) {
    if (!(star instanceof HTMLElement)) continue
    star.setAttribute('aria-pressed', String(ids.includes(star.dataset['star'] ?? '')))
  }
}

for (const entry of isList ? document.querySelectorAll('.agenda a.ev') : []) {
  const [path = ''] = (entry.getAttribute('href') ?? '').split('?')
  const [feed, id = ''] = path.split('/').slice(-2)
  if (!/^\d+$/.test(id)) continue
  const star = document.createElement('button')
  star.className = 'star pill'
  star.type = 'button'
  star.dataset['star'] = `${feed}-${id}`
  star.setAttribute('aria-label', `${save}: ${entry.querySelector('strong')?.textContent}`)
  entry.after(star)
}

document.addEventListener('click', ({ target }) => {
  const star = target instanceof Element ? target.closest('[data-star]') : undefined
  if (star instanceof HTMLElement) toggle(star.dataset['star'] ?? '')
})

// Saved in another tab, or before this page was left.
for (const event of ['storage', 'pageshow']) addEventListener(event, showSaved)
showSaved()
