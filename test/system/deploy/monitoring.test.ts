import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readyService, runProcess } from '../../support/command-line.ts'
import { root } from '../../support/documentation.ts'
import { programIsMissing } from '../../support/programs.ts'
import { exchange } from '../../support/raw-http.ts'
import { testDirectory } from '../../support/service.ts'
import { serveSites, startWebsites } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: { readonly summary: string; readonly description: string }
}

type Panel = { readonly title: string; readonly targets: readonly Target[] }
type Target = { readonly expr: string; readonly legendFormat?: string }

const rulesFile = join(root, 'deploy/prometheus-rules.yaml')
const rules: readonly Rule[] = parse(readFileSync(rulesFile, 'utf8')).groups[0].rules
const dashboard: {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly definition?: string }[] }
} = JSON.parse(readFileSync(join(root, 'deploy/grafana-dashboard.json'), 'utf8'))

const variables = dashboard.templating.list.flatMap(({ definition }) => definition ?? [])
const queries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat: text = '' }) => ({ name: title, expr, text })),
)
const uses = [
  ...rules.map(({ alert: name, expr, annotations }) => ({
    name,
    expr,
    text: JSON.stringify(annotations),
  })),
  ...queries,
  ...variables.map((definition) => {
    const [, expr = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(definition) ?? []
    return { name: definition, expr, text: `{{${label}}}` }
  }),
]

/** Labels that Prometheus adds to every metric. */
const added = ['job', 'instance']

type Labels = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the labels of each metric in Prometheus text. Metrics without samples have none. */
function labelsIn(text: string): Labels {
  const labels = new Map(
    [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => [name, new Set<string>()]),
  )
  for (const [, name = '', sample = ''] of text.matchAll(/^(\w+)\{(.+)\} \S+$/gm)) {
    for (const [, label = ''] of sample.matchAll(/(\w+)="/g)) labels.get(name)?.add(label)
  }
  return labels
}

/** Returns the metrics and labels that an expression selects, and the labels of its results. */
function readExpression(expr: string) {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, names = '']) => names.split(', '))
  const rest = expr.replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '')
  const selectors = [...rest.matchAll(/\b([a-z]+(?:_\w+)+|up)\b(?:\{([^}]*)\})?(?!\()/g)]
  return {
    grouped: grouped.flat(),
    selected: selectors.map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
    })),
  }
}

/** Returns the names in an expression and its text that these metrics do not have. */
function unknownIn(
  { expr, text }: { readonly expr: string; readonly text: string },
  known: Labels,
) {
  const { grouped, selected } = readExpression(expr)
  const labelsOf = (name: string) => [...(known.get(name) ?? []), ...added]
  const all = selected.flatMap(({ name }) => labelsOf(name))
  const shown = [...text.matchAll(/\$labels\.(\w+)|\{\{(\w+)\}\}/g)].map(([, a, b = '']) => a ?? b)
  const results = grouped.length > 0 ? grouped : all
  return [
    ...selected.flatMap(({ name }) => (known.has(name) ? [] : [name])),
    ...selected.flatMap(({ name, labels }) =>
      labels.filter((each) => !labelsOf(name).includes(each)),
    ),
    ...grouped.filter((label) => !all.includes(label)),
    ...shown.filter((label) => !results.includes(label)),
  ]
}

/** Returns the labels of a service's metrics, and the labels that Prometheus adds. */
async function metricsOf(url: string): Promise<Labels> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return new Map([...labelsIn(text), ['up', new Set<string>()]])
}

const notHttp = 'NONSENSE\r\n\r\n'

test('alert rules and the dashboard use only metrics and labels that two workers have', async () => {
  const { url, ask } = await serveSites(await startWebsites(['ashton', 'cedar']))
  for (const name of ['ashton', 'cedar']) await ask(name, '/events.ics')
  await exchange(url, notHttp)
  expect(uses.length).toBeGreaterThan(20)
  await waitFor(async () => {
    const metrics = await metricsOf(url)
    const unknown = uses.map(({ name, ...use }) => [name, unknownIn(use, metrics)] as const)
    expect(unknown.filter(([, names]) => names.length > 0)).toEqual([])
    const wrong = {
      expr: 'sum by (sites) (feedhouse_site_ok{status="1"} - nothing)',
      text: '{{x}}',
    }
    expect(unknownIn(wrong, metrics)).toEqual(['status', 'sites', 'x'])
    expect(unknownIn({ expr: 'feedhouse_nothing', text: '' }, metrics)).toEqual([
      'feedhouse_nothing',
    ])
  })
})

test('alert rules and the dashboard use only metrics that a single site has', async () => {
  const demo = runProcess(testDirectory(), ['serve'])
  const { url } = await readyService(demo)
  await exchange(url, notHttp)
  const names = uses.flatMap(({ expr }) => readExpression(expr).selected.map(({ name }) => name))
  await waitFor(async () => {
    const metrics = await metricsOf(url)
    expect(names.filter((name) => !metrics.has(name))).toEqual([])
  })
})

/** Series at which a rule fires after two hours, and the summary of its alert. */
const firing: Readonly<
  Record<
    string,
    {
      readonly series: Readonly<Record<string, string>>
      readonly summary: string
      readonly labels: object
    }
  >
> = {
  FeedhouseDown: {
    series: { 'up{job="feedhouse",instance="a:8080"}': '1x100 0x20' },
    labels: { job: 'feedhouse', instance: 'a:8080' },
    summary: 'Feedhouse at a:8080 does not respond.',
  },
  FeedhouseSiteNeedsAttention: {
    series: {
      'feedhouse_site_ok{job="feedhouse",site="ashton"}': '1x90 0x30',
      'feedhouse_site_ok{job="feedhouse",site="cedar"}': '1x120',
    },
    labels: { job: 'feedhouse', site: 'ashton' },
    summary: 'Site ashton needs attention.',
  },
  FeedhouseRecordsOld: {
    series: {
      'feedhouse_collection_age_seconds{job="feedhouse",collection="events"}': '16800+60x120',
    },
    labels: { job: 'feedhouse', collection: 'events' },
    summary: 'events of site feedhouse was last read 6h 40m 0s ago.',
  },
  FeedhouseCallsFail: {
    series: {
      'feedhouse_upstream_calls_total{job="feedhouse",site="ashton",code="ok"}': '0+1x120',
      'feedhouse_upstream_calls_total{job="feedhouse",site="ashton",code="timeout"}': '0+3x120',
    },
    labels: { job: 'feedhouse', site: 'ashton' },
    summary: 'Most API calls of site ashton fail.',
  },
  FeedhouseCallsUsedUp: {
    series: { 'feedhouse_budget_left_calls{job="feedhouse",window="day"}': '4000x60 80x60' },
    labels: { job: 'feedhouse' },
    summary: 'Site feedhouse has 80 API calls left today.',
  },
  FeedhouseErrors: {
    series: {
      'feedhouse_http_requests_total{job="feedhouse",site="ashton",status="200"}': '0+90x120',
      'feedhouse_http_requests_total{job="feedhouse",site="ashton",status="503"}': '0+10x120',
    },
    labels: { job: 'feedhouse', site: 'ashton' },
    summary: 'More than 1% of the responses of site ashton are errors.',
  },
  FeedhouseRefusesClients: {
    series: { 'feedhouse_refusals_total{job="feedhouse",reason="too many requests"}': '0+600x120' },
    labels: { job: 'feedhouse', reason: 'too many requests' },
    summary: 'Feedhouse rejects 10 requests per second: too many requests.',
  },
  FeedhouseFrontSlow: {
    series: {
      'feedhouse_front_event_loop_delay_max_seconds{job="feedhouse",instance="a:8080"}': '2x120',
    },
    labels: { job: 'feedhouse', instance: 'a:8080' },
    summary: 'Responses at a:8080 are delayed by 2s.',
  },
  FeedhouseWorkerBusy: {
    series: {
      'process_cpu_seconds_total{job="feedhouse",instance="a:8080",worker="1"}': '0+60x120',
      'process_cpu_seconds_total{job="feedhouse",instance="a:8080"}': '0+30x120',
    },
    labels: { job: 'feedhouse', instance: 'a:8080', worker: '1' },
    summary: 'A worker at a:8080 uses a whole processor.',
  },
  FeedhouseRestarts: {
    series: {
      'process_start_time_seconds{job="feedhouse",instance="a:8080"}': '1x60 2x20 3x20 4x20',
    },
    labels: { job: 'feedhouse', instance: 'a:8080' },
    summary: 'A worker at a:8080 keeps restarting.',
  },
}

/** Returns the output of `promtool` for a file with this content, which is empty if it succeeds. */
function promtool(args: readonly string[], content: object) {
  const file = join(testDirectory(), 'rules.json')
  writeFileSync(file, JSON.stringify(content))
  const { status, stdout, stderr } = spawnSync('promtool', [...args, file], { encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

describe.skipIf(programIsMissing('promtool'))('promtool', () => {
  test('accepts the rules and the queries of the dashboard', () => {
    const recorded = queries.map(({ expr }, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }))
    const group = { name: 'dashboard', rules: [...rules, ...recorded] }
    expect(promtool(['check', 'rules'], { groups: [group] })).toBe('')
  })

  test.for(rules)('$alert fires, and no other rule does', ({ alert, labels, annotations }) => {
    const fired = firing[alert]
    const expected = {
      exp_labels: { ...fired?.labels, ...labels },
      exp_annotations: { ...annotations, summary: fired?.summary },
    }
    const alertTests = rules.map(({ alert: alertname }) => ({
      eval_time: '2h',
      alertname,
      exp_alerts: alertname === alert ? [expected] : [],
    }))
    const unit = {
      interval: '1m',
      input_series: Object.entries(fired?.series ?? {}).map(([name, values]) => ({
        series: name,
        values,
      })),
      alert_rule_test: alertTests,
    }
    expect(promtool(['test', 'rules'], { rule_files: [rulesFile], tests: [unit] })).toBe('')
  })
})
