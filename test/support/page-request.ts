import { request, type Dispatcher } from 'undici'

export type PageRequest = {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  readonly cookie?: string
  /** Origin of the page that contains the form. */
  readonly origin?: string
}

/** Requests a page like a browser without scripts, but does not follow redirects. */
export async function requestPage(
  url: string,
  { method = 'GET', form, cookie, origin }: PageRequest = {},
  dispatcher?: Dispatcher,
) {
  const fields = Object.entries(form ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const { statusCode, headers, body } = await request(url, {
    method,
    body: form ? new URLSearchParams(fields).toString() : null,
    headers: {
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      ...(cookie === undefined ? {} : { cookie }),
      ...(origin === undefined ? {} : { origin }),
    },
    ...(dispatcher ? { dispatcher } : {}),
  })
  return { status: statusCode, headers, text: await body.text() }
}
