import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { languages } from '../../src/records/messages.ts'
import { missingTexts, type Lack } from './missing-texts.ts'

const help = `Usage: npm run languages -- [LANGUAGE...]

Lists the texts that are missing in a language, such as pt, or in all of Feedhouse's languages. Also
lists texts that are the same as in English, which may be correct. Exits with 1 if texts are missing.
`

const source = resolve(import.meta.dirname, '../../src')

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
})

if (values.help || !positionals.every(isLanguage)) {
  process.stdout.write(help)
  process.exitCode = values.help ? 0 : 1
} else {
  const wanted = positionals.length > 0 ? positionals : languages.filter((each) => each !== 'en')
  for (const language of wanted) await report(language)
}

function isLanguage(text: string): boolean {
  return /^[a-z]{2,3}$/.test(text)
}

async function report(language: string): Promise<void> {
  const lacks = await missingTexts(source, language)
  const missing = lacks.reduce((sum, each) => sum + each.missing.length, 0)
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  const lines = [`${name}: ${missing} texts are missing`, ...lacks.flatMap(linesFrom)]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (missing > 0) process.exitCode = 1
}

function linesFrom({ file, isMissing, missing, superfluous, same }: Lack): readonly string[] {
  const details = [
    ...(isMissing
      ? [`no such file, ${missing.length} texts`]
      : missing.map((key) => `missing: ${key}`)),
    ...superfluous.map((key) => `not in English: ${key}`),
    ...same.map((key) => `same as in English: ${key}`),
  ]
  const path = relative(process.cwd(), resolve(source, file))
  return details.map((detail) => `  ${path}: ${detail}`)
}
