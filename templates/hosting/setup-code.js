/* Enters the code in a link. Browsers never send this part of a link, so it is in no log or referrer. */

function enterCode() {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? []
  const field = document.querySelector('input[name="code"]')
  if (code === undefined || !(field instanceof HTMLInputElement)) return
  history.replaceState(null, '', location.pathname)
  field.value = code
  field.form?.submit()
}

enterCode()
addEventListener('hashchange', enterCode)
