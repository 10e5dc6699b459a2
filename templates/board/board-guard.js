/*
 * Reloads a board whose scripts or styles did not load or stopped, because it cannot refresh itself then.
 * Says so when it has not heard from the service for a while. Part of the page, since a file could fail
 * to load as well, and in ECMAScript 5, so that every browser runs it.
 */
;(function () {
  var checkMs = 60000
  /** Checks without an answer until a board says so. */
  var maxSilent = 15
  var silent = 0
  var hasFailed = false
  /** @type {string | null} */
  var heard = null

  addEventListener(
    'error',
    function (event) {
      var target = event.target
      var isStyle = target instanceof HTMLLinkElement && target.rel === 'stylesheet'
      if (isStyle || target instanceof HTMLScriptElement) hasFailed = true
    },
    true,
  )

  /** Without a connection, the browser would replace the board with its own error page. */
  function reloadIfAvailable() {
    var request = new XMLHttpRequest()
    request.addEventListener('load', function () {
      if (request.status >= 200 && request.status < 300) location.reload()
    })
    request.open('HEAD', location.href)
    request.setRequestHeader('Cache-Control', 'no-cache')
    request.send()
  }

  setInterval(function () {
    // The board's scripts count the service's answers here.
    var latest = document.body.getAttribute('data-heard')
    silent = latest === heard ? silent + 1 : 0
    heard = latest
    var sign = document.getElementById('silent')
    if (sign) sign.hidden = silent < maxSilent
    if (hasFailed || latest === null || silent >= maxSilent) reloadIfAvailable()
  }, checkMs)
})()
