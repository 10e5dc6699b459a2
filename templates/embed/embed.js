/* Sends the list's height to the embedding page on any origin, because the height is not secret. */

function sendHeight() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  parent.postMessage({ type: 'feedhouse-height', height }, '*')
}

new ResizeObserver(sendHeight).observe(document.documentElement)
