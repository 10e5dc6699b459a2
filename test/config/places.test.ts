import { expect, test } from 'vitest'
import { linesOfPlaces, placeList, readPlaceLines } from '../../src/config/places.ts'

const station = {
  name: 'Station 1',
  address: '12 Main Street, Cedar Hollow, NY 10001',
  latitude: 42.1234567,
  longitude: -74.2,
}

const read = (listed: unknown) => placeList.safeParse(JSON.stringify(listed))

const faultsOf = (listed: unknown) => read(listed).error?.issues.map(({ message }) => message)

test('reads coordinates with six decimals, which is a precision of about 10 centimeters', () => {
  expect(read([station, { ...station, name: ' Town Hall ' }]).data).toEqual([
    { ...station, latitude: 42.123457 },
    { ...station, name: 'Town Hall', latitude: 42.123457 },
  ])
  expect(read([]).data).toEqual([])
})

test.for<[listed: unknown, faults: readonly string[]]>([
  ['Station 1', ['must be the path of a JSON file with a list of at most 500 places']],
  [{ station }, ['must be the path of a JSON file with a list of at most 500 places']],
  [
    [station, { ...station, name: 'Barn', latitude: 91 }],
    ['entry 2 (Barn): latitude must be a number from -90 to 90'],
  ],
  [
    [{ ...station, longitude: '-74.2', address: 'a\nb' }],
    [
      'entry 1 (Station 1): address must be one line of 1 to 500 characters',
      'entry 1 (Station 1): longitude must be a number from -180 to 180',
    ],
  ],
  [
    [station, { address: 'x', latitude: 1, longitude: 1 }],
    ['entry 2: name must be one line of 1 to 200 characters'],
  ],
  [[{ ...station, adress: 'x' }], ['entry 1 (Station 1): adress is unknown']],
  [['Station 1'], ['entry 1: must be an object with name, address, latitude and longitude']],
  [[station, { ...station, name: 'STATION  1' }], ['entry 2 (STATION  1): duplicate name']],
])('reports faults in %j: %j', ([listed, faults]) => {
  expect(faultsOf(listed)).toEqual(faults)
})

test('rejects a file that is not JSON', () => {
  expect(placeList.safeParse('[').error?.issues.map(({ message }) => message)).toEqual([
    'must be the path of a JSON file with a list of at most 500 places',
  ])
})

test('reads a text with one place per line, and writes the same text', () => {
  const text = 'Station 1 | 12 Main Street, Cedar Hollow, NY 10001 | 42.123456, -74.2'
  const { places, faults } = readPlaceLines(`\n  ${text.replaceAll(' | ', '|')}  \n\n`)
  expect(faults).toEqual([])
  expect(places).toEqual([{ ...station, latitude: 42.123456 }])
  expect(linesOfPlaces(places)).toBe(text)
})

test.for<[text: string, faults: readonly object[]]>([
  [
    'Station 1 | 12 Main Street | 42.1',
    [
      {
        line: 1,
        name: 'Station 1',
        part: 'latitude',
        fault: 'latitude must be a number from -90 to 90',
      },
      {
        line: 1,
        name: 'Station 1',
        part: 'longitude',
        fault: 'longitude must be a number from -180 to 180',
      },
    ],
  ],
  ['a | b | 1, 2\nA | c | 1, 2', [{ line: 2, name: 'A', part: 'duplicate' }]],
  [
    ' | b | 1, 2',
    [{ line: 1, part: 'name', fault: 'name must be one line of 1 to 200 characters' }],
  ],
  ['\nx | y | 1, 2 | z', [{ line: 2, name: 'x', part: 'parts' }]],
])('reports faults in the lines %j', ([text, faults]) => {
  const { faults: found } = readPlaceLines(text)
  expect(found).toHaveLength(faults.length)
  expect(found).toMatchObject(faults)
})

test('limits the number of lines', () => {
  const { places, fault } = readPlaceLines('a\n'.repeat(501))
  expect(places).toEqual([])
  expect(fault).toBe('must have at most 500 places and 40,000 characters')
})

test('reads as many places as the limit', () => {
  const stations = Array.from({ length: 500 }, (_, index) => ({ ...station, name: `S${index}` }))
  expect(read(stations).success).toBe(true)
  const lines = stations.map(({ name }) => `${name} | 12 Main Street | 42.1, -74.2`)
  const { places, faults } = readPlaceLines(lines.join('\n'))
  expect(faults).toEqual([])
  expect(places).toHaveLength(500)
})

test('reports the first ten faults', () => {
  expect(readPlaceLines('a\n'.repeat(20)).faults).toHaveLength(10)
})
