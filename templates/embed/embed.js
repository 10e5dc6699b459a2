/* Sends the list's height to the embedding page on any origin, because the height is not secret. */

function sendHeight() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  parent.postMessage({ type: 'feedhouse-height', height }, '*')
}

// For browsers before Chromium 78, Safari 16.4 and Firefox 128.
const main = document.querySelector('main')
if (main && !('registerProperty' in CSS)) main.style.setProperty('--feedhouse-rem', '1rem')

new ResizeObserver(sendHeight).observe(document.documentElement)
