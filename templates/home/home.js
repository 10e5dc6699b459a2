/* Lets people choose calendars and an app on the home page. The page also works without this script. */

/** Messages in the page's language (script-texts.eta). */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}')

const hero = document.querySelector('.hero')
const {
  url = '',
  plainUrl = '',
  pageUrl = '',
  saves,
  own,
  entries,
} = hero instanceof HTMLElement ? hero.dataset : {}

/** @type {HTMLFormElement | null} */
const form = document.querySelector('[data-chips]')

const onlyMine = document.querySelector('[form="only-mine"]')

const chips = [...document.querySelectorAll('.chip input')].filter(
  (chip) => chip instanceof HTMLInputElement,
)

/** Button URLs before a selection, which contain `url`, possibly encoded. */
const subscribing = [...document.querySelectorAll('a[data-subscribe]')]
  .filter((link) => link instanceof HTMLAnchorElement)
  .map((link) => ({ link, href: link.href }))

/** URLs that open this page in another browser. */
const opening = [...document.querySelectorAll('a[data-page]')]
  .filter((link) => link instanceof HTMLAnchorElement)
  .map((link) => ({ link, href: link.href }))

/** @param {string} text */
function say(text) {
  const status = hero?.querySelector('[role="status"]')
  if (status) status.textContent = text
}

/** Returns the selected calendars for the option `show`. */
function chosenCalendars() {
  /** @type {Map<string, HTMLInputElement[]>} */
  const groups = new Map()
  for (const chip of chips) {
    const [feed = ''] = chip.value.split(':')
    groups.set(feed, [...(groups.get(feed) ?? []), chip])
  }
  const lists = [...groups].flatMap(([feed, group]) => {
    const chosen = group.filter(({ checked }) => checked)
    if (chosen.length === 0) return []
    if (chosen.length === group.length) return [feed]
    return [`${feed}:${chosen.map(({ value }) => value.split(':')[1]).join('.')}`]
  })
  const isEverything = lists.length === groups.size && lists.every((list) => !list.includes(':'))
  return { list: lists.join(','), isEverything }
}

/** @param {string} address */
const bare = (address) => address.replace(/^https?:/, '')

/** Replaces the URL in all buttons and fields. */
function showAddress() {
  const { list, isEverything } = chosenCalendars()
  const now = isEverything
    ? plainUrl
    : `${plainUrl}${plainUrl.includes('?') ? '&' : '?'}show=${list}`
  for (const { link, href } of subscribing) {
    link.href = href
      .replace(bare(url), bare(now))
      .replace(encodeURIComponent(bare(url)), encodeURIComponent(bare(now)))
  }
  for (const field of document.querySelectorAll('input[data-address]')) {
    if (field instanceof HTMLInputElement) field.value = now
  }
  const language = new URLSearchParams(location.search).get('lang')
  const page = `?show=${list}${language === null ? '' : `&lang=${language}`}`
  history.replaceState(null, '', `${location.pathname}${page}`)
  for (const link of document.querySelectorAll('.languages a')) {
    if (!(link instanceof HTMLAnchorElement)) continue
    const translation = new URL(link.href)
    translation.searchParams.set('show', list)
    link.href = translation.href
  }
  const chosenPage = `${pageUrl.split('?')[0]}${page}`
  if (hero instanceof HTMLElement) hero.dataset['pageUrl'] = chosenPage
  for (const { link, href } of opening) link.href = href.replace(bare(pageUrl), bare(chosenPage))
  void showQrCode()
}

/** Shows the QR code of the page with this selection. */
async function showQrCode() {
  const code = hero?.querySelector('.phone[open] .qr')
  if (!code || saves !== undefined) return
  const { href } = location
  const answer = await fetch(href).catch(() => undefined)
  if (!answer?.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const made = page.querySelector('.phone .qr')
  if (made && href === location.href) code.replaceChildren(...made.childNodes)
}

/** Shows the next entries of the selected calendars. */
function showAgenda() {
  const chosen = new Set(chips.filter(({ checked }) => checked).map(({ value }) => value))
  let shown = 0
  for (const entry of document.querySelectorAll('li[data-show]')) {
    if (!(entry instanceof HTMLElement)) continue
    const isChosen = entry.dataset['show']?.split(' ').some((value) => chosen.has(value)) === true
    entry.hidden = !isChosen || shown >= Number(entries)
    if (!entry.hidden) shown += 1
  }
  for (const group of document.querySelectorAll('[data-group]')) {
    group.toggleAttribute('hidden', !group.querySelector('li:not([hidden])'))
  }
  document.querySelector('[data-empty]')?.toggleAttribute('hidden', shown > 0)
}

/** @type {Promise<void>} */
let sending = Promise.resolve()
let isWaiting = false

/** Saves the latest selection for the link, one request at a time. */
async function save() {
  if (isWaiting) return
  isWaiting = true
  await sending
  isWaiting = false
  sending = send()
}

async function send() {
  if (!form) return
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') body.append(name, value)
  }
  const answer = await fetch('./', { method: 'POST', body, redirect: 'manual' }).catch(
    () => undefined,
  )
  // The response to a saved selection is a redirect.
  const isSaved = answer?.type === 'opaqueredirect'
  form.classList.toggle('unsaved', !isSaved)
  say(isSaved ? texts.saved : texts.notSaved)
}

/** @param {HTMLInputElement} [chip] */
function choose(chip) {
  // A member's calendar also has the member's own entries.
  if (chip && own === undefined && !chips.some(({ checked }) => checked)) {
    chip.checked = true
    say(texts.noneChosen)
    return
  }
  showAgenda()
  onlyMine?.setAttribute('aria-pressed', String(!chips.some(({ checked }) => checked)))
  if (saves !== undefined) {
    void save()
    return
  }
  showAddress()
  say(texts.buttonsUpdated)
}

/** @param {Element} button */
async function share(button) {
  const { pageUrl: shared = '' } = hero instanceof HTMLElement ? hero.dataset : {}
  if (typeof navigator.share === 'function') {
    await navigator.share({ title: document.title, url: shared }).catch(() => undefined)
    return
  }
  await navigator.clipboard.writeText(shared).catch(() => undefined)
  button.textContent = texts.copiedToSend
}

/** @param {string} app */
function showApp(app) {
  document.documentElement.dataset['app'] = app
  for (const link of document.querySelectorAll('.apps a')) {
    if (link.getAttribute('href') === `#app-${app}`) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && chips.includes(target)) choose(target)
})

document.addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  const picked = target.closest('.apps a')?.getAttribute('href')?.slice('#app-'.length)
  if (picked !== undefined && document.documentElement.dataset['app'] !== undefined) {
    event.preventDefault()
    showApp(picked)
  }
  if (target === onlyMine) {
    event.preventDefault()
    const isReleased = onlyMine?.getAttribute('aria-pressed') === 'true'
    for (const chip of chips) chip.checked = isReleased
    choose()
  }
  const shared = target.closest('[data-share]')
  if (shared) void share(shared)
})

hero?.querySelector('.phone')?.addEventListener('toggle', () => void showQrCode())

const { app } = document.documentElement.dataset
if (app !== undefined) showApp(app)

// URLs such as `/#events` from the time when this page listed all feeds.
const [, feed] = /^#([a-z]+)$/.exec(location.hash) ?? []
if (feed !== undefined && !document.getElementById(feed)) location.replace(`feeds${location.hash}`)
