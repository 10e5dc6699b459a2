import { relative, resolve } from 'node:path'
import { followSettings, type ServedSettings } from '../app/served-settings.ts'
import { systemClock } from '../clock.ts'
import { exportAndWatch, exportSite } from '../export/export-site.ts'
import { commandConfig, openConfiguredStore, siteOption } from './chosen-site.ts'
import { commandSettings } from './command-settings.ts'
import { abortedOnStop, argumentDirectory, defineCommand, flag, valueOption } from './command.ts'
import { showProgress } from './progress.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    out: valueOption(
      'DIR',
      'output directory. Unchanged files are not touched; files that Feedhouse did not write are never changed or removed',
    ),
    watch: flag('keep running and write every change, until stopped'),
    directories: flag(
      'write each page as index.html in its own directory, for hosts that do not find agenda.html for /agenda',
    ),
    precompress: flag('also write .gz and .br files, for nginx'),
    json: flag('print one JSON line'),
    ...siteOption,
  },
  help: (list) => `Usage: npx feedhouse export --out DIR [options]

Exports all public content as files for static hosting: the pages, feeds, items, the board,
and header rules for nginx, Netlify, Cloudflare Pages and object storage. docs/static.md explains
how to host them. PUBLIC_URL must be the URL where they will be hosted. Settings saved on the admin
page replace those from the environment. Reads the website within the same API call limits as the
service.

${list()}`,
  async run({ values, print }, context) {
    const { out } = values
    if (out === undefined || out === '') {
      throw new UsageError('--out needs a value: the directory for the files; see export --help.')
    }
    const given = commandConfig(values, context)
    const { site, publicUrl, dataDirectory } = given
    if (!site) {
      throw new UsageError(
        'SITE_URL is not set, so there is no website to export. The demo cannot be exported.',
      )
    }
    if (publicUrl === undefined) {
      throw new UsageError(
        'PUBLIC_URL is not set. Set it to the URL where the files will be hosted, because feeds and pages contain it.',
      )
    }
    const directory = resolve(argumentDirectory(context), out)
    if (isWithin(dataDirectory, directory) || isWithin(directory, dataDirectory)) {
      throw new UsageError(
        `--out overlaps the data directory ${dataDirectory}, which must not be published. Choose another directory.`,
      )
    }
    await using store = await openConfiguredStore(given, context)
    const read = () => commandSettings({ ...given, site }, store, context)
    const settings = await read()
    using progress = showProgress(context, values)
    const options = {
      publicUrl,
      store,
      directory,
      clock: systemClock,
      random: Math.random,
      isPrecompressed: values.precompress === true,
      hasDirectories: values.directories === true,
      log: context.createLogger(values.watch ? given.logLevel : 'silent'),
      signal: abortedOnStop(context),
    }
    if (values.watch) {
      return await followSettings(settings, { ...options, read }, (current, signal) =>
        exportAndWatch({ ...options, ...partsOf(current), signal }),
      )
    }
    const { report } = progress
    const { counts, warnings } = await exportSite({ ...options, ...partsOf(settings), report })
    progress.clear()
    for (const warning of warnings) context.stderr.write(`${warning}\n`)
    const { written, unchanged, removed } = counts
    print(
      { directory, ...counts },
      `${directory}: ${written} files written, ${unchanged} unchanged, ${removed} removed.`,
    )
  },
})

function partsOf({ config }: ServedSettings) {
  return { config, site: config.site, publicFeedIds: config.publicFeeds }
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way === '' || !/^\.\.(?:[\\/]|$)|^(?:[a-z]:|\/)/i.test(way)
}
