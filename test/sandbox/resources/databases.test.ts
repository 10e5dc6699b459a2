import { expect, test } from 'vitest'
import { startSandboxWith } from '../../support/dataset.ts'
import { notFound } from '../../support/sandbox.ts'

const databases = [
  {
    id: 4,
    title: 'Hydrants',
    description: 'd',
    type: 'Custom',
    fields: [
      { name: 'street', title: 'Street', type: 'text', primary: 1 },
      { name: 'flow', title: 'Flow', type: 'number' },
    ],
    records: [
      { id: 1, street: 'Main', flow: 900 },
      { id: 2, street: 'Mill', archived: 1 },
    ],
  },
  { id: 5, title: 'Empty', fields: [] },
]

test('lists all databases if DatabaseID is missing', async () => {
  const { bodyOf } = await startSandboxWith({ databases })
  expect((await bodyOf('databases/')).items).toEqual([
    { id: 4, title: 'Hydrants', description: 'd', type: 'Custom' },
    { id: 5, title: 'Empty', description: '', type: '' },
  ])
})

test('DatabaseID returns the records in a database with every field, including archived records', async () => {
  const { bodyOf } = await startSandboxWith({ databases })
  const history = { created: '', createdBy: '', modified: '', modifiedBy: '' }
  expect(await bodyOf('databases/?DatabaseID=4')).toMatchObject({
    database: 'Hydrants',
    databaseId: 4,
    fields: [
      { name: 'street', title: 'Street', type: 'text', primary: 1 },
      { name: 'flow', title: 'Flow', type: 'number', primary: 0 },
    ],
    totalCount: 2,
    items: [
      { id: 1, archived: 0, ...history, street: 'Main', flow: 900 },
      { id: 2, archived: 1, ...history, street: 'Mill', flow: '' },
    ],
  })
  expect(await bodyOf('databases/?DatabaseID=6')).toEqual(notFound)
})
