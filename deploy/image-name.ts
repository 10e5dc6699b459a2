// Updates the name of the released image, as determined by package.json, wherever it is used:
//   npm run image-name
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const filesWithImage = ['compose.yaml', 'deploy/kubernetes/feedhouse.yaml', 'docs/deploy.md']

const root = resolve(import.meta.dirname, '..')

/** Returns the name of the image for the repository and version in a package.json. */
export function imageNameFrom(packageJson: string): string {
  const { repository, version } = JSON.parse(packageJson) as Readonly<Record<string, string>>
  return `ghcr.io/${repository?.replace('github:', '')}:${version}`
}

export function withImageName(text: string, name: string): string {
  return text.replaceAll(/\bghcr\.io\/[\w./-]+:\d[\w.-]*\w/g, name)
}

if (import.meta.main) {
  const name = imageNameFrom(readFileSync(resolve(root, 'package.json'), 'utf8'))
  for (const file of filesWithImage.map((each) => resolve(root, each))) {
    writeFileSync(file, withImageName(readFileSync(file, 'utf8'), name))
  }
}
