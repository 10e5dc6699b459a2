import type { CustomDatabase } from '../resources/databases.ts'

type DatabaseRecord = CustomDatabase['records'][number]

export function sampleCustomDatabases(): readonly CustomDatabase[] {
  return [hydrants, gear]
}

const hydrants: CustomDatabase = {
  id: 1,
  title: 'Hydrants',
  description: 'Every hydrant of the district with its last test.',
  type: 'Custom',
  fields: [
    { name: 'number', title: 'Hydrant number', type: 'text', primary: 1 },
    { name: 'street', title: 'Street', type: 'text', primary: 0 },
    { name: 'color', title: 'Flow class', type: 'select', primary: 0 },
    { name: 'gpm', title: 'Flow (gpm)', type: 'number', primary: 0 },
    { name: 'notes', title: 'Notes', type: 'textarea', primary: 0 },
  ],
  records: (
    [
      ['H-001', 'Mill Road at Station 1', 'Blue', 1620, ''],
      ['H-002', 'Main Street at Chapel Street', 'Green', 1180, 'Cap chain missing.'],
      [
        'H-003',
        'Orchard Lane 40',
        'Orange',
        740,
        'Stiff; two turns more than the others.\nOil it.',
      ],
      ['H-004', 'Railroad Street 5', 'Red', 380, 'Dead end main & low flow'],
      ['H-005', 'Quarry Hill (old)', 'Red', 0, 'Removed with the old main.'],
    ] as const
  ).map(([number, street, color, gpm, notes], index): DatabaseRecord => ({
    id: index + 1,
    archived: index === 4 ? 1 : 0,
    created: '2020-04-18 10:00:00',
    createdBy: index === 0 ? '' : 'Pat Okafor',
    modified: index % 2 === 0 ? '2025-05-03 11:22:00' : '',
    modifiedBy: index % 2 === 0 ? 'Sam Lindqvist' : '',
    number,
    street,
    color,
    gpm,
    notes,
  })),
}

const gear: CustomDatabase = {
  id: 2,
  title: 'Turnout gear',
  description: '',
  type: 'Custom',
  fields: [
    { name: 'serial', title: 'Serial number', type: 'text', primary: 1 },
    { name: 'kind', title: 'Kind', type: 'select', primary: 0 },
    { name: 'retire', title: 'Retire on', type: 'date', primary: 0 },
  ],
  records: Array.from({ length: 120 }, (_, index): DatabaseRecord => ({
    id: index + 1,
    archived: index < 8 ? 1 : 0,
    created: `20${String(14 + Math.floor(index / 12))}-02-01 09:00:00`,
    createdBy: 'Casey O’Rourke',
    modified: '',
    modifiedBy: '',
    serial: `CHV-${String(2000 + index)}`,
    kind: ['Coat', 'Trousers', 'Helmet', 'Boots'][index % 4],
    retire: `20${String(24 + Math.floor(index / 12))}-02-01`,
  })),
}
