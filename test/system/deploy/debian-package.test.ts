import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../support/documentation.ts'
import { testDirectory } from '../../support/service.ts'

const sh = (script: string, ...args: readonly string[]) =>
  execFileSync('sh', ['-euc', script, 'sh', ...args], { encoding: 'utf8' })

const isDebian = existsSync('/usr/bin/dpkg-deb')

/** Where a test may mount, it installs packages in a copy of this machine's file system. */
const mayMount = isDebian && spawnSync('sh', ['-c', 'unshare --mount true']).status === 0

const files = ['.env.example', 'CHANGELOG.md', 'LICENSE', 'deploy', 'package.json']

/** Prints what it is run with. The real one is too large for a test. */
const node = '#!/bin/sh\necho "$(id -un) $PWD $SETTINGS_FILE $DATA_DIR $*"\n'

/** Builds an archive like those of build-release.sh, and a package from it. Returns the package's path. */
function buildPackage(version: string, directory = testDirectory()): string {
  const name = `feedhouse-${version}-linux-x64`
  const at = join(directory, name)
  mkdirSync(join(at, 'src'), { recursive: true })
  for (const file of files) cpSync(join(root, file), join(at, file), { recursive: true })
  writeFileSync(join(at, `src/${version}.ts`), '')
  writeFileSync(join(at, 'node'), node, { mode: 0o755 })
  const archive = join(directory, `${name}.tar.gz`)
  sh(
    'tar -C "$1" --mtime=@1700000000 --exclude node_modules -czf "$2" "$3"',
    directory,
    archive,
    name,
  )
  const built = sh('sh "$1/deploy/build-deb.sh" "$2" "$3"', root, archive, directory)
  const [, path = ''] = /^Built (\S+\.deb)\.\n$/.exec(built) ?? []
  return path
}

test.skipIf(!isDebian)('builds the same package from the same archive', () => {
  const path = buildPackage('1.0.0-rc.1')
  expect(path).toMatch(/\/feedhouse_1\.0\.0~rc\.1_amd64\.deb$/)
  const info = sh('dpkg-deb --info "$1"', path)
  expect(info).toMatch(/^ Version: 1\.0\.0~rc\.1\n Architecture: amd64$/m)
  expect(info).toMatch(/^ Maintainer: Feedhouse <https:\S+>$/m)
  sh('dpkg --compare-versions "1.0.0~rc.1" lt 1.0.0')
  const listed = sh('dpkg-deb --contents "$1"', path).trimEnd().split('\n')
  expect(listed.filter((line) => !/^[d-]r[w-]x?.*(?<!w.) root\/root /.test(line))).toEqual([])
  const paths = listed.map((line) => line.split(/\s+/)[5])
  expect(paths).toContain('./usr/lib/feedhouse/node')
  const others = paths.filter((each) => !each?.startsWith('./usr/lib/feedhouse/'))
  expect(others.filter((each) => !each?.endsWith('/'))).toEqual([
    './usr/bin/feedhouse',
    './usr/lib/systemd/system/feedhouse.service',
    './usr/share/doc/feedhouse/changelog.gz',
    './usr/share/doc/feedhouse/copyright',
  ])
  sh('cd "$(dirname "$1")" && sha256sum --check --quiet ./*.sha256', path)
  expect(readFileSync(buildPackage('1.0.0-rc.1'))).toEqual(readFileSync(path))
})

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n')

const settings = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'))

test.skipIf(!isDebian)('the package’s unit differs from the other one only in its paths', () => {
  const extracted = testDirectory()
  sh('dpkg-deb --extract "$1" "$2"', buildPackage('1.0.0'), extracted)
  const own = linesOf(join(root, 'deploy/feedhouse.service'))
  const unit = linesOf(join(extracted, 'usr/lib/systemd/system/feedhouse.service'))
  expect(settings(unit).filter((line) => !own.includes(line))).toEqual([
    'Documentation=file:///usr/lib/feedhouse/docs/deploy.md',
    'WorkingDirectory=%S/feedhouse',
    expect.stringMatching(
      /^Environment=SETTINGS_FILE=\/etc\/feedhouse\.env SETUP=yes NODE_ENV=\S+ .* DATA_DIR=%S\/feedhouse /,
    ),
    expect.stringMatching(/^ExecStart=\/usr\/lib\/feedhouse\/node .* \/usr\/lib\/feedhouse\/src/),
  ])
  expect(unit.join('\n')).not.toMatch(/\/opt\/|\/etc\/feedhouse\//)
  const command = readFileSync(join(extracted, 'usr/bin/feedhouse'), 'utf8')
  expect(command).not.toMatch(/\/opt\/|\/etc\/feedhouse(?!\.env)|\/usr\/local/)
})

/** Runs a script in a copy of this machine's file system that is deleted afterwards. */
const inCopy = `
mkdir -p "$1"
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --bind /dev "$1/root/dev"
mkdir "$1/root/packages"
cp "$2" "$1/root/packages/old.deb"
cp "$3" "$1/root/packages/new.deb"
chroot "$1/root" sh -eu <<'EOF'
state() {
  echo "== $1"
  ls -d /usr/lib/feedhouse/src/* /usr/bin/feedhouse /var/lib/feedhouse/* /etc/feedhouse.env 2> /dev/null || true
  stat -c '%U:%G %a %n' /var/lib/feedhouse /var/lib/feedhouse/feedhouse.env 2> /dev/null || true
  readlink /etc/feedhouse.env /etc/systemd/system/multi-user.target.wants/feedhouse.service || true
}
export DEBIAN_FRONTEND=noninteractive
dpkg --install /packages/old.deb
state installed
cd /tmp
/usr/bin/feedhouse check --json
echo PORT=8081 > /var/lib/feedhouse/feedhouse.env
touch /var/lib/feedhouse/www.example.org.sqlite
dpkg --install /packages/new.deb
state upgraded
cat /etc/feedhouse.env
dpkg --remove feedhouse
state removed
dpkg --install /packages/new.deb > /dev/null
cat /etc/feedhouse.env
rm /etc/feedhouse.env
echo PORT=8082 > /etc/feedhouse.env
dpkg --purge feedhouse > /dev/null
state purged
cat /etc/feedhouse.env
EOF
`

test.skipIf(!mayMount)('installs, upgrades, and keeps settings and data until it is purged', () => {
  const [before, after] = [buildPackage('1.0.0-rc.1'), buildPackage('1.0.0')]
  const script = `unshare --mount sh -euc '${inCopy.replaceAll("'", `'\\''`)}' sh "$@"`
  const output = sh(script, testDirectory(), before, after)
  const states = new Map(
    output
      .split('== ')
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)]),
  )
  expect(output).toContain(
    'To set up Feedhouse, open the link in "sudo journalctl -u feedhouse -n 20"',
  )
  expect(states.get('installed')).toMatch(`/etc/feedhouse.env
/usr/bin/feedhouse
/usr/lib/feedhouse/src/1.0.0-rc.1.ts
/var/lib/feedhouse/feedhouse.env
feedhouse:feedhouse 700 /var/lib/feedhouse
feedhouse:feedhouse 600 /var/lib/feedhouse/feedhouse.env
/var/lib/feedhouse/feedhouse.env
`)
  expect(states.get('installed')).toMatch(/\/system\/feedhouse\.service\n/)
  expect(states.get('installed')).toContain(
    'feedhouse /var/lib/feedhouse /etc/feedhouse.env /var/lib/feedhouse /usr/lib/feedhouse/src/main.ts check --json\n',
  )
  expect(states.get('upgraded')).toContain('/usr/lib/feedhouse/src/1.0.0.ts\n')
  expect(states.get('upgraded')).not.toContain('/usr/lib/feedhouse/src/1.0.0-rc.1.ts')
  expect(states.get('upgraded')).toContain('/var/lib/feedhouse/www.example.org.sqlite\n')
  expect(states.get('upgraded')).toMatch(/^PORT=8081$/m)
  expect(states.get('removed')).not.toContain('/usr/')
  expect(states.get('removed')).toContain('/var/lib/feedhouse/www.example.org.sqlite\n')
  expect(states.get('removed')).toMatch(/^PORT=8081$/m)
  // A file that the package has not created stays.
  expect(states.get('purged')).toBe('/etc/feedhouse.env\nPORT=8082\n')
})
