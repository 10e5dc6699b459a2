/* Turns notifications on this device on and off. Asks for permission only after a tap. */

const section = document.getElementById('device')
const status = section?.querySelector('[role="status"]')
const { key = '', language = '' } = section?.dataset ?? {}
const device = new URL('device', document.baseURI).href
const boxes = [...(section?.querySelectorAll('input') ?? [])]
const buttons = [...(section?.querySelectorAll('button') ?? [])]

/** Interval for sending the subscription again, in case the service has lost it. */
const renewAfterMs = 7 * 24 * 60 * 60_000

/** Shows the parts of the section that belong to a state. @param {string} state */
function show(state) {
  for (const part of section?.querySelectorAll('[data-when]') ?? []) {
    const states = part.getAttribute('data-when')?.split(',')
    part.toggleAttribute('hidden', !states?.includes(state))
  }
}

/** @param {'on' | 'off' | 'failed' | ''} result */
function say(result) {
  if (status) status.textContent = status.getAttribute(`data-${result}`)
}

/** Returns why notifications cannot be turned on, or undefined if they can. */
function unavailableReason() {
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (isSupported) return Notification.permission === 'denied' ? 'blocked' : undefined
  const { userAgent, maxTouchPoints } = navigator
  // Safari on iPad identifies itself as Safari on a Mac.
  const isApple =
    /iP(?:hone|ad|od)/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const isInApp = document.documentElement.dataset['inapp'] !== undefined
  const isOnHomeScreen = matchMedia('(display-mode: standalone)').matches
  return isApple && !isInApp && !isOnHomeScreen ? 'home-screen' : 'unsupported'
}

async function currentSubscription() {
  const registration = await navigator.serviceWorker.getRegistration('./')
  return registration?.pushManager.getSubscription()
}

/** Returns the choice that `save` has stored in the browser. */
async function savedChoice() {
  return (await caches.match(device))?.json()
}

/** @type {(method: string, content: object) => RequestInit} */
function requestWith(method, content) {
  const headers = { 'Content-Type': 'application/json' }
  return { method, headers, body: JSON.stringify(content) }
}

/** Sends the subscription and the choice. @param {PushSubscription} subscription */
async function save(subscription) {
  const choice = Object.fromEntries(boxes.map(({ name, checked }) => [name, checked]))
  const { ok } = await fetch(device, requestWith('POST', { subscription, choice, language }))
  if (!ok) throw new Error('the service has not saved the device')
  const cache = await caches.open('follow')
  // For the worker, which may have to replace the subscription.
  const saved = { choice, language, applicationServerKey: key, at: Date.now() }
  await cache.put(device, new Response(JSON.stringify(saved)))
  show('on')
  say('on')
}

/** @type {() => Promise<void>} */
async function start() {
  if ((await Notification.requestPermission()) !== 'granted') return refresh()
  if (!boxes.some(({ checked }) => checked)) for (const box of boxes) box.checked = true
  const registration = await navigator.serviceWorker.register('worker.js')
  await activated(registration)
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const subscription = await registration.pushManager.subscribe(options)
  try {
    await save(subscription)
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
}

/** @param {ServiceWorkerRegistration} registration */
async function activated({ active, installing, waiting }) {
  const starting = installing ?? waiting
  if (active || !starting) return
  await new Promise((resolve) => {
    starting.addEventListener('statechange', () => {
      if (['activated', 'redundant'].includes(starting.state)) resolve(undefined)
    })
  })
}

async function stop() {
  const subscription = await currentSubscription()
  const cache = await caches.open('follow')
  await cache.delete(device)
  // If this request fails, the push service will report that the subscription has ended.
  const { endpoint } = subscription ?? {}
  await fetch(device, requestWith('DELETE', { endpoint })).catch(() => undefined)
  await subscription?.unsubscribe()
  show('off')
  say('off')
}

/** Shows the current state. Subscribes again if the subscription was lost, or is for another key. */
async function refresh() {
  const state = unavailableReason()
  if (state !== undefined) return show(state)
  const [saved, subscription] = await Promise.all([savedChoice(), currentSubscription()])
  for (const box of saved ? boxes : []) box.checked = saved.choice[box.name] === true
  if (!saved || Notification.permission !== 'granted') return show('off')
  const isCurrent = saved.applicationServerKey === key
  if (!isCurrent) await subscription?.unsubscribe()
  if (!isCurrent || !subscription) return start()
  show('on')
  say('on')
  if (Date.now() > saved.at + renewAfterMs) await save(subscription)
}

/** Runs an action while the buttons are disabled. @param {() => Promise<void>} work */
async function run(work) {
  for (const button of buttons) button.disabled = true
  say('')
  await work().catch(() => say('failed'))
  for (const button of buttons) button.disabled = false
}

async function choose() {
  const subscription = await currentSubscription()
  if (!subscription) return
  await (boxes.some(({ checked }) => checked) ? save(subscription) : stop())
}

for (const button of buttons) {
  button.addEventListener('click', () => void run(button.name === 'start' ? start : stop))
}
for (const box of boxes) box.addEventListener('change', () => void run(choose))

void run(refresh)
