/* Shows notifications, even while no page is open. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self))
const { pushManager, scope } = worker.registration
const device = new URL('device', scope).href

worker.addEventListener('push', (event) => {
  // Browsers that support declarative push messages show them without this worker (Push API, 3.3).
  const { title, navigate, ...options } = event.data?.json().notification ?? {}
  event.waitUntil(worker.registration.showNotification(title, { ...options, data: navigate }))
})

worker.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(open(notification.data))
})

/** Shows a page, in an existing tab if one already shows it.
 * @param {string} url */
async function open(url) {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((each) => each.url === url)
  await (tab ? tab.focus() : worker.clients.openWindow(url))
}

/** Called when the browser has replaced the subscription, or when it must be replaced. */
worker.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(replace(event.oldSubscription, event.newSubscription))
})

/** @type {(before: PushSubscription | null, after: PushSubscription | null) => Promise<void>} */
async function replace(before, after) {
  const saved = await (await caches.match(device))?.json()
  if (!saved) return
  const { applicationServerKey, ...wish } = saved
  const options = { userVisibleOnly: true, applicationServerKey }
  const subscription = after ?? (await pushManager.subscribe(options))
  await fetch(device, requestWith('POST', { ...wish, subscription }))
  if (before) await fetch(device, requestWith('DELETE', { endpoint: before.endpoint }))
}

/** @type {(method: string, content: object) => RequestInit} */
function requestWith(method, content) {
  const headers = { 'Content-Type': 'application/json' }
  return { method, headers, body: JSON.stringify(content) }
}
