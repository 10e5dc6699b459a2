/*
 * Adds what the browsers of old screens lack, back to Chromium 68, Firefox 68 and Safari 12. Imported
 * before everything else. The build lowers syntax.
 */

/** @type {(target: object, name: string, value: unknown) => void} */
function add(target, name, value) {
  if (name in target) return
  Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

/** Chromium 103, Safari 16, Firefox 100. */
add(
  AbortSignal,
  'timeout',
  /** @param {number} ms */ (ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  },
)

/** Chromium 92, Safari 15.4, Firefox 90. */
add(
  Array.prototype,
  'at',
  /** @this {readonly unknown[]} @param {number} index */ function at(index) {
    return this[index < 0 ? this.length + index : index]
  },
)

/** Chromium 69. Flattens one level, as boards do. */
add(
  Array.prototype,
  'flat',
  /** @this {readonly unknown[]} */ function flat() {
    return this.reduce((/** @type {unknown[]} */ all, each) => all.concat(each), [])
  },
)

add(
  Array.prototype,
  'flatMap',
  /** @this {readonly unknown[]} @param {(item: unknown, index: number) => unknown} convert */
  function flatMap(convert) {
    return this.reduce(
      (/** @type {unknown[]} */ all, each, index) => all.concat(convert(each, index)),
      [],
    )
  },
)

/** Chromium 73, Safari 13. For expressions without groups that match an empty text. */
add(
  String.prototype,
  'matchAll',
  /** @this {string} @param {RegExp} expression */ function matchAll(expression) {
    const found = []
    const copy = new RegExp(expression)
    for (let match = copy.exec(this); match; match = copy.exec(this)) found.push(match)
    return found
  },
)

/** Chromium 71, Safari 12.1, Firefox 69. */
add(
  self,
  'queueMicrotask',
  /** @param {() => void} task */ (task) => void Promise.resolve().then(task),
)

/** Safari 13. English and many other languages have these two forms. */
add(
  Intl,
  'PluralRules',
  class {
    /** @param {number} count */
    select(count) {
      return count === 1 ? 'one' : 'other'
    }
  },
)

/** Chromium 87, Safari 14.1, Firefox 125. Splits some characters, like flags, when a word must be cut. */
add(
  Intl,
  'Segmenter',
  class {
    /** @param {string} text */
    segment(text) {
      return Array.from(text, (segment) => ({ segment }))
    }
  },
)
