import type { Document } from '../resources/documents.ts'

const categories = {
  1: 'Bylaws & Policies',
  2: 'Forms',
  3: 'Standard Operating Guidelines',
} as const

type Draft = Pick<Document, 'title' | 'text' | 'created' | 'files'> &
  Partial<Pick<Document, 'status' | 'public' | 'modified' | 'modifiedBy'>> & {
    readonly categoryId: keyof typeof categories
  }

const drafts: readonly Draft[] = [
  {
    title: 'Bylaws',
    text: '<p>As amended at the annual meeting.</p>',
    categoryId: 1,
    public: 1,
    created: '2021-01-14 20:00:00',
    modified: '2025-01-16 21:30:00',
    modifiedBy: 'Robin Vale',
    files: [{ id: 1, fileName: 'bylaws.pdf', extension: 'pdf', fileSize: 182_400 }],
  },
  {
    title: 'Membership application',
    text: 'Print, sign, and bring to any Tuesday drill.',
    categoryId: 2,
    public: 1,
    created: '2022-03-02 18:20:00',
    files: [
      { id: 2, fileName: 'application.pdf', extension: 'pdf', fileSize: 96_118 },
      { id: 3, fileName: 'application.docx', extension: 'docx', fileSize: 41_877 },
    ],
  },
  {
    title: 'Hall rental agreement',
    text: '<p>Deposit, hours, <b>no open flames</b>.</p>',
    categoryId: 2,
    public: 1,
    created: '2022-03-02 18:30:00',
    files: [{ id: 4, fileName: 'hall-rental.pdf', extension: 'pdf', fileSize: 73_005 }],
  },
  {
    title: 'SOG 101: Response and staffing',
    text: '',
    categoryId: 3,
    created: '2023-06-11 10:00:00',
    modified: '2024-02-01 19:05:00',
    modifiedBy: 'Dana Marsh',
    files: [{ id: 5, fileName: 'sog-101.pdf', extension: 'pdf', fileSize: 55_310 }],
  },
  {
    title: 'SOG 204: Carbon monoxide alarms',
    text: 'With the meter chart.',
    categoryId: 3,
    created: '2023-06-11 10:10:00',
    files: [
      { id: 6, fileName: 'sog-204.pdf', extension: 'pdf', fileSize: 60_942 },
      { id: 7, fileName: 'co-chart.xlsx', extension: 'xlsx', fileSize: 12_004 },
    ],
  },
  {
    title: 'SOG 310: Electric vehicles (draft)',
    text: 'Comments to Dana, please.',
    categoryId: 3,
    status: 0,
    created: '2025-09-30 22:45:00',
    files: [],
  },
  {
    title: 'Old gear inventory sheet',
    text: 'Replaced by the Gear database.',
    categoryId: 2,
    status: 1,
    created: '2018-05-05 09:00:00',
    files: [{ id: 8, fileName: 'gear.xls', extension: 'xls', fileSize: 33_280 }],
  },
]

export function sampleDocuments(): readonly Document[] {
  return drafts.map((draft, index) => ({
    id: index + 1,
    status: 2,
    public: 0,
    createdBy: 'Robin Vale',
    modified: '',
    modifiedBy: '',
    ...draft,
    category: categories[draft.categoryId],
  }))
}
