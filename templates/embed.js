/* Sends the list's height to the page that embeds it; it contains nothing secret. */

function sendHeight() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  parent.postMessage({ type: 'feedhouse-height', height }, '*')
}

new ResizeObserver(sendHeight).observe(document.documentElement)
