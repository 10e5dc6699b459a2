import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { documentOf, root } from '../support/documentation.ts'
import { environmentNames } from '../support/settings.ts'

const text = readFileSync(join(root, 'deploy/kubernetes/feedhouse.yaml'), 'utf8')
const manifests = parseAllDocuments(text).map((each) => each.toJS())
const stateful = manifests.find(({ kind }) => kind === 'StatefulSet').spec
const { spec: pod } = stateful.template
const [container] = pod.containers

test('the manifests set only known settings, from secrets that exist', () => {
  const names = container.env.map(({ name }: { name: string }) => name)
  expect(names.filter((name: string) => !environmentNames.includes(name))).toEqual([])
  const secret = manifests.find(({ kind }) => kind === 'Secret')
  const mount = container.volumeMounts.find(({ name }: { name: string }) => name === 'secrets')
  const files = Object.keys(secret.stringData).map((name) => `${mount.mountPath}/${name}`)
  const values = container.env.map(({ value }: { value: string }) => value)
  expect(values).toEqual(expect.arrayContaining(files))
})

test('the manifests use the image of compose.yaml, its user, volume, probes and grace period', () => {
  const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true })
  const replica = compose.services['feedhouse-2']
  expect(container.image).toBe(replica.image)
  expect(`${pod.terminationGracePeriodSeconds}s`).toBe(replica.stop_grace_period)
  expect(pod.securityContext).toMatchObject({ runAsUser: 1000, fsGroup: 1000, runAsNonRoot: true })
  expect(container.volumeMounts[0]).toEqual({ name: 'data', mountPath: '/data' })
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
    (probe) => container[probe].httpGet.path,
  )
  expect(probes).toEqual(['/livez', '/livez', '/readyz'])
  const docs = documentOf('docs/platforms.md')
  expect(docs).toContain(`${pod.terminationGracePeriodSeconds} seconds after SIGTERM`)
})
