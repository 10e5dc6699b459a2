import { afterAll, expect, test } from 'vitest'
import { elementScript } from '../../src/web/embed-element.ts'
import { startTestService } from '../support/service.ts'

const service = await startTestService({ publicFeedIds: ['calendar', 'events', 'news'] })
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()

const textAt = async (url: string) => (await fetch(url)).text()

/** Returns the content of the fields with code, by id. */
async function codeAt(query: string): Promise<Readonly<Record<string, string>>> {
  const page = await textAt(`${service.url}/feeds${query}`)
  const fields = page.matchAll(/id="website-(\w+)" (?:value="([^"]*)"|[^>]*>([^]*?)<\/textarea>)/g)
  return Object.fromEntries(
    [...fields].map(([, id = '', value, text = '']) => [
      id,
      (value ?? text).replace(/&(?:lt|gt|quot|amp|#39);/g, (escaped) => characters[escaped] ?? ''),
    ]),
  )
}

const characters: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#39;': "'",
}

test('offers code that works in other pages', async () => {
  const { html = '', url, frame } = await codeAt('')
  expect(url).toBe(`${service.url}/embed/events`)
  expect((await fetch(url ?? '')).status).toBe(200)
  expect(html).toContain(`<feedhouse-events src="${url}"><a href="${service.url}/">`)
  expect(html).toContain(`integrity="${elementScript.integrity}" crossorigin></script>`)
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(html) ?? []
  expect(await textAt(script)).toBe(await textAt(`${service.url}/feedhouse-events.js`))
  expect(frame).toContain(`<iframe src="${url}" title="Events –`)
  expect(frame).toContain(`origin !== '${service.url}'`)
})

test.for([
  ['embed=news&layout=cards&theme=dark', 'news?layout=cards&theme=dark'],
  ['embed=next&layout=list&theme=auto', 'next'],
  ['embed=month&layout=cards&theme=auto', 'month'],
  ['embed=news&layout=month&theme=light', 'news?theme=light'],
  ['embed=events&q=Fish&place=Social+Hall', 'events?q=fish&place=social%20hall'],
  ['embed=month&theme=dark&q=fish', 'month?theme=dark&q=fish'],
  ['embed=news&q=grant&place=hall', 'news?q=grant'],
  ['embed=secret&layout=list&theme=auto', 'events'],
])('shows code for the choice %s', async ([choice, path]) => {
  const { url = '', html } = await codeAt(`?feed=website&${choice}`)
  expect(url).toBe(`${service.url}/embed/${path}`)
  expect((await fetch(url)).status).toBe(200)
  expect(html).toContain(`src="${url.replaceAll('&', '&amp;')}"`)
})

test('never offers code with a feed link', async () => {
  const link = await service.addLink({ label: 'Crew' })
  expect(await textAt(`${service.url}/`)).toContain('href="feeds#website"')
  expect(await textAt(`${service.url}/feeds`)).toContain('id="website"')
  expect(await textAt(link)).not.toContain('#website')
  expect(await textAt(`${link}feeds`)).not.toContain('id="website"')
})

test('counts the entries that an embed with a search shows', async () => {
  const textOf = (query: string) => textAt(`${service.url}/feeds?feed=website&${query}`)
  const items = (await (await fetch(`${service.url}/board.json?show=events&q=fish`)).json()) as []
  const sentence = `${items.length} upcoming entries match right now.`
  expect(await textOf('embed=events&q=fish')).toContain(sentence)
  expect(await textOf('embed=next&q=fish')).toContain(sentence)
  const invalid = await textOf('embed=events&q=a+b+c+d+e+f+g+h+i')
  expect(invalid).toContain('role="alert">Enter at most 8 words')
  // Other forms on the page have the same options.
  expect((await codeAt('?feed=events&q=fish'))['url']).toBe(`${service.url}/embed/events`)
})
