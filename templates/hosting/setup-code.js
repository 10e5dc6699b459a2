/* Enters the code in a link. Browsers never send this part of a link, so the code does not appear in access logs or referrers. */

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
