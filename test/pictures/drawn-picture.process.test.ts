import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fontsFile } from '../../src/pictures/image-library.ts'
import { pictureFor } from '../support/board-picture.ts'

const run = promisify(execFile)

/** The thread would end after ten minutes. */
const maxExitMs = 50_000

const program = `
  const { drawnPicture } = await import('./src/pictures/drawn-picture.ts')
  const { renderIcon } = await import('./src/pictures/icon-drawing.ts')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60" font-family="Source Sans 3"><rect width="300" height="60" fill="#fff"/><text x="5" y="40" font-size="30">Thin <tspan font-weight="700">bold</tspan></text></svg>'
  const form = { colors: '2', format: 'png', isDithered: false, rotation: 0, isInverted: false }
  const colors = { color: '#b3261e', onColor: '#ffffff' }
  const icon = () => renderIcon({ initials: 'CH', name: 'C', ...colors }, { size: 64, logoShare: 1, isOpaque: true })
  const draw = async () => (await drawnPicture({ svg, width: 300, height: 60 }, form)).toString('base64')
  if (process.argv[1] === 'icon') await icon()
  console.log(await draw())
`

/** Draws a picture in a thread. */
const programWithThread = `
  const { createDrawingThread } = await import('./src/pictures/drawing-thread.ts')
  const { pictureContent } = await import('./test/support/board-picture.ts')
  const draw = createDrawingThread(import.meta.resolve('./src/features/board/board-drawing-thread.ts'))
  const file = await draw(pictureContent({ query: 'size=300x100' }))
  console.log(file.toString('base64'))
`

/** Draws in a new process, in which no font has been loaded yet. */
async function drawnAfter(first: 'icon' | 'nothing', options = ''): Promise<string> {
  const env = { ...process.env, FONTCONFIG_FILE: fontsFile, NODE_OPTIONS: options }
  const { stdout } = await run(process.execPath, ['-e', program, first], { env })
  return stdout
}

test('the first picture of a process has the right fonts, whatever was drawn before', async () => {
  const [alone, afterIcon] = await Promise.all([drawnAfter('nothing'), drawnAfter('icon')])
  expect(alone.length).toBeGreaterThan(100)
  expect(afterIcon).toBe(alone)
})

const withoutSharp = `
  import { registerHooks } from 'node:module'
  const resolve = (specifier, context, next) => {
    if (specifier === 'sharp') throw new Error('not supported')
    return next(specifier, context)
  }
  registerHooks({ resolve })
`

test('says that the platform is not supported', async () => {
  const hooks = `--import=data:text/javascript,${encodeURIComponent(withoutSharp)}`
  await expect(drawnAfter('nothing', hooks)).rejects.toThrow("kind: 'unsupported'")
})

test('a thread that waits for the next picture does not keep the process from exiting', async () => {
  const env = { ...process.env, FONTCONFIG_FILE: fontsFile }
  const options = { env, timeout: maxExitMs }
  const { stdout } = await run(process.execPath, ['-e', programWithThread], options)
  const file = await pictureFor({ query: 'size=300x100' })
  expect(stdout.trim()).toBe(file.toString('base64'))
})
