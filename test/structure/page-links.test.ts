import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* Links on translated pages keep the language only if they use `linkTo`. */

/** Pages that are not translated, and HTML for other websites. */
const untranslated =
  /^templates\/(?:(?:board|hosting|monitoring|sandbox)\/|home\/embed-(?:element|frame)-code)/

const otherSites = String.raw`(?:it\.)?site\.url|websiteUrl|appUrl|it\.map|(?:it\.)?signUpUrl`
const apps = String.raw`uri|button\.href|service\.url|(?:services|browsers|readers)\.\w+`
/** URLs that already have the language. */
const translated = String.raw`url|download|calendar\.url|month\.\w+\.url|group\.feedUrl|group\.calendar\.device`

const withoutHelper = new RegExp(
  String.raw`="(?:#|mailto:|<%= (?:${otherSites}|${apps}|${translated}) %>")`,
)

test('links to own pages keep the language', () => {
  let count = 0
  for (const file of globSync('templates/**/*.eta')) {
    if (untranslated.test(file)) continue
    const text = readFileSync(file, 'utf8')
    const tags = text.matchAll(/<(a|form|iframe)\b(?:<%.*?%>|[^<>])*>(?:<%~ [^>]*languageField)?/g)
    for (const [tag, element] of tags) {
      count += 1
      const hasLanguage = /it\.(?:linkTo\(|languageField$)/.test(tag)
      // Without an action, a form is submitted to the URL of its page.
      const isSamePage = element === 'form' && !tag.includes('action=')
      expect([file, tag, hasLanguage || isSamePage || withoutHelper.test(tag)]).toEqual([
        file,
        tag,
        true,
      ])
    }
  }
  expect(count).toBeGreaterThan(100)
})
