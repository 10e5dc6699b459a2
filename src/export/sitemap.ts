import { escapeHtml } from '../text/html.ts'
import { spokenLanguage, type Language } from '../records/messages.ts'

/** Limit of the sitemap protocol (sitemaps.org). */
const maxUrls = 50_000

/** `paths` are the pages in the website's language. */
export function renderSitemap(
  paths: readonly string[],
  site: {
    readonly publicUrl: string
    readonly language: string
    readonly staticLanguages?: readonly Language[] | undefined
  },
): string {
  const { publicUrl, language, staticLanguages = [] } = site
  const languages = [
    { name: spokenLanguage(language), root: publicUrl },
    ...staticLanguages.map((name) => ({ name, root: `${publicUrl}/${name}` })),
  ]
  const urls = paths.flatMap((path) => {
    const links = languages.map(
      ({ name, root }) =>
        `<xhtml:link rel="alternate" hreflang="${name}" href="${escapeHtml(root + path)}"/>`,
    )
    const alternates = languages.length > 1 ? links : []
    return languages.map(
      ({ root }) =>
        `<url>${[`<loc>${escapeHtml(root + path)}</loc>`, ...alternates].join('\n')}</url>`,
    )
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.slice(0, maxUrls).join('\n')}
</urlset>
`
}
