/*
 * Reloads a board if its script or a style did not load, because the board cannot refresh itself then.
 * Part of the page, since a file could fail to load as well.
 */

let hasFailed = false

addEventListener(
  'error',
  ({ target }) => {
    const isStyle = target instanceof HTMLLinkElement && target.rel === 'stylesheet'
    if (isStyle || target instanceof HTMLScriptElement) hasFailed = true
  },
  true,
)

setInterval(() => {
  if (!hasFailed && document.body.dataset['running'] !== undefined) return
  // Without a connection, the browser would replace the board with its own error page.
  fetch(location.href, { method: 'HEAD', cache: 'no-store' })
    .then(({ ok }) => ok && location.reload())
    .catch(() => undefined)
}, 60_000)
