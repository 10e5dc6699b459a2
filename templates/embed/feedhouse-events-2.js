/*
 * <feedhouse-events src="https://feeds.example.org/embed/events"> shows an embed in a page, without a
 * frame. Until it has loaded, and if it cannot, the page shows what is inside the element, such as a link.
 *
 * Pages pin this file by its hash, so a released version never changes and is not built. It runs in browsers
 * back to Chromium 68, Firefox 68 and Safari 12. Text and style come from the embed, and only elements and
 * attributes that cannot run scripts are copied from it.
 */

const name = 'feedhouse-events'
const refreshMs = 300 * 1000
const timeoutMs = 30 * 1000

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
async function textFrom(url) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.text()
}

/**
 * Replaces what is in a shadow root. Policies for styles do not apply to adopted style sheets, which
 * Chromium has since 73, Safari since 16.4.
 * @param {ShadowRoot} root
 * @param {Element} content
 * @param {string[]} styles
 */
function replaceIn(root, content, styles) {
  while (root.lastChild) root.lastChild.remove()
  if ('replaceSync' in CSSStyleSheet.prototype && 'adoptedStyleSheets' in root) {
    root.adoptedStyleSheets = styles.map((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      return sheet
    })
  } else {
    for (const text of styles) {
      const style = document.createElement('style')
      style.textContent = text
      root.append(style)
    }
  }
  root.append(content)
}

/**
 * Returns true if the page's text is light where an element is, because its background may be a picture.
 * @param {Element} element
 */
function isOnDark(element) {
  const { color } = getComputedStyle(element)
  const numbers = color.split(/[ ,(/]+/).map(parseFloat)
  const [first = 0, second = 0, third = 0] = numbers.filter((number) => !Number.isNaN(number))
  if (color.startsWith('ok')) return first > 0.5
  if (color.startsWith('l')) return first > 50
  return (first + second + third) / 3 > (color.startsWith('rgb') ? 127 : 0.5)
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
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.nodeValue || '')
  const { nodeName } = node
  const copy = elements.has(nodeName)
    ? document.createElement(replaced[nodeName] || nodeName)
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

/** @param {HTMLElement} host */
function createEmbed(host) {
  const root = host.attachShadow({ mode: 'open' })
  const deviceScheme = matchMedia('(prefers-color-scheme: dark)')
  const pageChanges = new MutationObserver(applyTheme)
  let url = ''
  let shown = ''
  let latest = 0
  let loadedAt = 0
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer

  root.append(document.createElement('slot'))
  root.addEventListener('click', follow)

  /**
   * Shows an embed. After an error, what was shown before stays.
   * @param {string} address
   */
  async function load(address) {
    latest += 1
    const number = latest
    url = address
    loadedAt = Date.now()
    try {
      const page = await documentFrom(address)
      const text = page.documentElement.outerHTML
      if (number !== latest || text === shown) return
      /** @type {NodeListOf<HTMLLinkElement>} */
      const links = page.querySelectorAll('link[rel="stylesheet"]')
      const styles = await Promise.all(Array.from(links, ({ href }) => textFrom(href)))
      if (number !== latest) return
      show(page, styles)
      shown = text
    } catch {
      // The browser has logged why.
    }
  }

  /**
   * @param {Document} page
   * @param {string[]} styles
   */
  function show(page, styles) {
    const main = page.querySelector('main')
    const content = main && copied(main)
    if (!(content instanceof HTMLElement)) return
    content.lang = page.documentElement.lang
    content.dir = 'ltr'
    const focused = root.activeElement
    replaceIn(root, content, styles)
    applyTheme()
    if (!('registerProperty' in CSS))
      content.style.setProperty('--feedhouse-rem', getComputedStyle(content).fontSize)
    if (focused instanceof HTMLAnchorElement) focus(focused)
  }

  /** Makes an embed without a theme of its own as light or dark as the page. */
  function applyTheme() {
    const content = root.querySelector('.auto')
    if (content) content.classList.toggle('dark', isOnDark(host))
  }

  /** @param {TransitionEvent} event */
  function applyThemeAfter({ propertyName }) {
    if (propertyName === 'color') applyTheme()
  }

  /**
   * Focuses the link that corresponds to one that was focused before.
   * @param {HTMLAnchorElement} before
   */
  function focus({ rel, href }) {
    const isSame = (/** @type {HTMLAnchorElement} */ link) =>
      rel === '' ? link.href === href : link.rel === rel
    const same = Array.from(root.querySelectorAll('a')).find(isSame)
    if (same) same.focus({ preventScroll: true })
  }

  /**
   * Shows another month in place.
   * @param {Event} event
   */
  function follow(event) {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isForNewTab =
      event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)
    if (!link || isForNewTab || !/^(?:prev|next)$/.test(link.rel)) return
    const { origin, pathname } = new URL(url)
    if (link.origin !== origin || link.pathname !== pathname) return
    event.preventDefault()
    void load(link.href)
  }

  function refresh() {
    if (document.visibilityState !== 'visible') return
    applyTheme()
    if (url !== '' && Date.now() >= loadedAt + refreshMs) void load(url)
  }

  return {
    connect() {
      timer = setInterval(refresh, refreshMs)
      document.addEventListener('visibilitychange', refresh)
      document.addEventListener('transitionend', applyThemeAfter)
      for (const element of [document.documentElement, document.body])
        pageChanges.observe(element, { attributes: true })
      // Safari 14. Older ones have no dark mode.
      if ('addEventListener' in deviceScheme) deviceScheme.addEventListener('change', applyTheme)
      // Pages may remove the element, and add it again much later.
      refresh()
    },
    disconnect() {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
      document.removeEventListener('transitionend', applyThemeAfter)
      pageChanges.disconnect()
      if ('removeEventListener' in deviceScheme)
        deviceScheme.removeEventListener('change', applyTheme)
    },
    /** @param {string | null} src */
    setSource(src) {
      if (!src) return
      const link = document.createElement('a')
      link.href = src
      if (isWebAddress(link.href)) void load(link.href)
    },
  }
}

class FeedhouseEvents extends HTMLElement {
  static get observedAttributes() {
    return ['src']
  }

  constructor() {
    super()
    embeds.set(this, createEmbed(this))
  }

  connectedCallback() {
    const embed = embeds.get(this)
    if (embed) embed.connect()
  }

  disconnectedCallback() {
    const embed = embeds.get(this)
    if (embed) embed.disconnect()
  }

  /**
   * @param {string} _attribute
   * @param {string | null} _before
   * @param {string | null} src
   */
  attributeChangedCallback(_attribute, _before, src) {
    const embed = embeds.get(this)
    if (embed) embed.setSource(src)
  }
}

/** @type {WeakMap<HTMLElement, ReturnType<typeof createEmbed>>} */
const embeds = new WeakMap()

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
    // Another version of this file has done that, or the browser has no such properties.
  }
  customElements.define(name, FeedhouseEvents)
}
