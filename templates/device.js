/*
 * Selects the app to offer first on the home page. Runs before the page is shown, so that nothing moves.
 * The page is the same for all devices, and lists all apps if it does not know the device.
 */
;(() => {
  const { userAgent } = navigator
  const isApple = /iP(?:hone|ad|od)/.test(userAgent)
  const isInApp =
    /\bFB[A-Z_]|Instagram|Barcelona|musical_ly|Bytedance|Snapchat|LinkedInApp|\bLine\/|MicroMessenger|; wv\)/.test(
      userAgent,
    ) ||
    (isApple && !userAgent.includes('Safari/'))
  /** @type {readonly (readonly [app: string, isMatch: boolean])[]} */
  const apps = [
    ['other', isInApp],
    ['android', userAgent.includes('Android')],
    ['apple', isApple || userAgent.includes('Macintosh')],
    ['outlook', userAgent.includes('Windows')],
    ['google', /CrOS|Linux/.test(userAgent)],
  ]
  const [app] = apps.find(([, isMatch]) => isMatch) ?? []
  const { classList, dataset } = document.documentElement
  classList.add('scripted')
  if (app !== undefined) dataset['app'] = app
  if (isInApp) dataset['inapp'] = isApple ? 'apple' : 'android'
  if (/iP(?:hone|od)|Android/.test(userAgent)) dataset['phone'] = ''
})()
