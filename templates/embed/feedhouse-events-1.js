/*
 * <feedhouse-events src="https://feeds.example.org/embed/events"> shows an embed in a page, without a
 * frame. Until it has loaded, and if it cannot, the page shows what is inside the element, such as a link.
 *
 * Pages pin this file by its hash, so a released version never changes. Text and style come from the
 * embed, and only elements and attributes that cannot run scripts are copied from it.
 */

const name = 'feedhouse-events'
const refreshMs = 5 * 60_000
const timeoutMs = 30_000

const elements = new Set(
  (
    'A ABBR ARTICLE B BR CAPTION DD DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 HEADER HR I IMG ' +
    'LI MAIN NAV OL P SECTION SMALL SPAN STRONG SUB SUP TABLE TBODY TD TFOOT TH THEAD TIME TR UL'
  ).split(' '),
)

/** Their content is not text to show. */
const dropped = new Set(['NOSCRIPT', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TEXTAREA', 'IFRAME'])

const attributes =
  /^(?:alt|aria-[a-z]+|class|colspan|data-[a-z-]+|datetime|dir|height|hidden|id|lang|loading|rel|role|scope|title|width)$/

/**
 * The page has its own main part and its own first heading.
 * @type {Readonly<Record<string, string>>}
 */
const replaced = { MAIN: 'div', H1: 'h2', H2: 'h3', H3: 'h4', H4: 'h5', H5: 'h6' }

/** @param {string} url */
async function sheetFrom(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  const sheet = new CSSStyleSheet()
  // Policies for styles do not apply to constructed style sheets.
  sheet.replaceSync(await response.text())
  return sheet
}

/**
 * Loads a page. Trusted Types restrict parsers of strings, but not this.
 * @param {string} url
 * @returns {Promise<Document>}
 */
function documentFrom(url) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.responseType = 'document'
    request.timeout = timeoutMs
    request.addEventListener('loadend', () => {
      if (request.status === 200 && request.responseXML) resolve(request.responseXML)
      else reject(new Error(`${url} cannot be loaded`))
    })
    request.send()
  })
}

/** @param {string} url */
const isWebAddress = (url) => /^https?:/.test(url)

/**
 * Copies a node with everything in it. Unknown elements are replaced by their content.
 * @param {Node} node
 * @returns {Node}
 */
function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.nodeValue ?? '')
  const { nodeName } = node
  const copy = elements.has(nodeName)
    ? document.createElement(replaced[nodeName] ?? nodeName)
    : document.createDocumentFragment()
  if (copy instanceof Element && node instanceof Element) copyAttributes(node, copy)
  for (const child of node.childNodes) if (!dropped.has(child.nodeName)) copy.append(copied(child))
  return copy
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function copyAttributes(from, to) {
  for (const { name: attribute, value } of from.attributes) {
    if (attributes.test(attribute)) to.setAttribute(attribute, value)
  }
  if (from instanceof HTMLAnchorElement && isWebAddress(from.href))
    to.setAttribute('href', from.href)
  if (from instanceof HTMLImageElement && isWebAddress(from.src)) to.setAttribute('src', from.src)
}

class FeedhouseEvents extends HTMLElement {
  static observedAttributes = ['src']

  #root = this.attachShadow({ mode: 'open' })
  #url = ''
  #shown = ''
  #latest = 0
  #loadedAt = 0
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer

  constructor() {
    super()
    this.#root.append(document.createElement('slot'))
    this.#root.addEventListener('click', (event) => this.#follow(event))
  }

  connectedCallback() {
    this.#timer = setInterval(this.#refresh, refreshMs)
    document.addEventListener('visibilitychange', this.#refresh)
    // Pages may remove the element, and add it again much later.
    this.#refresh()
  }

  disconnectedCallback() {
    clearInterval(this.#timer)
    document.removeEventListener('visibilitychange', this.#refresh)
  }

  /**
   * @param {string} _attribute
   * @param {string | null} _before
   * @param {string | null} src
   */
  attributeChangedCallback(_attribute, _before, src) {
    const url = URL.canParse(src ?? '', document.baseURI)
      ? new URL(src ?? '', document.baseURI).href
      : ''
    if (isWebAddress(url)) void this.#load(url)
  }

  #refresh = () => {
    const isDue = Date.now() >= this.#loadedAt + refreshMs
    if (this.#url !== '' && isDue && document.visibilityState === 'visible')
      void this.#load(this.#url)
  }

  /**
   * Shows the embed. After an error, what was shown before stays.
   * @param {string} url
   */
  async #load(url) {
    const number = (this.#latest += 1)
    this.#url = url
    this.#loadedAt = Date.now()
    try {
      const page = await documentFrom(url)
      const text = page.documentElement.outerHTML
      if (number !== this.#latest || text === this.#shown) return
      const links = [...page.querySelectorAll('link[rel="stylesheet"]')]
      const loaded = await Promise.all(
        links.flatMap((link) => (link instanceof HTMLLinkElement ? sheetFrom(link.href) : [])),
      )
      if (number !== this.#latest) return
      this.#show(page, loaded)
      this.#shown = text
    } catch {
      // The browser has logged why.
    }
  }

  /**
   * @param {Document} page
   * @param {CSSStyleSheet[]} loaded
   */
  #show(page, loaded) {
    const main = page.querySelector('main')
    const content = main && copied(main)
    if (!(content instanceof HTMLElement)) return
    content.lang = page.documentElement.lang
    content.dir = 'ltr'
    const focused = this.#root.activeElement
    this.#root.adoptedStyleSheets = loaded
    this.#root.replaceChildren(content)
    if (focused instanceof HTMLAnchorElement) this.#focus(focused)
  }

  /**
   * Focuses the link that corresponds to one that was focused before.
   * @param {HTMLAnchorElement} before
   */
  #focus({ rel, href }) {
    const isSame = (/** @type {HTMLAnchorElement} */ link) =>
      rel === '' ? link.href === href : link.rel === rel
    const links = [...this.#root.querySelectorAll('a')]
    links.find(isSame)?.focus({ preventScroll: true })
  }

  /**
   * Shows another month in place.
   * @param {Event} event
   */
  #follow(event) {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isForNewTab =
      event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)
    if (!link || isForNewTab || !/^(?:prev|next)$/.test(link.rel)) return
    const { origin, pathname } = new URL(this.#url)
    if (link.origin !== origin || link.pathname !== pathname) return
    event.preventDefault()
    void this.#load(link.href)
  }
}

if (!customElements.get(name)) {
  // Sizes in an embed are relative to its own text.
  try {
    CSS.registerProperty({
      name: '--feedhouse-rem',
      syntax: '<length>',
      inherits: true,
      initialValue: '16px',
    })
  } catch {
    // Another version of this file has done that.
  }
  customElements.define(name, FeedhouseEvents)
}
