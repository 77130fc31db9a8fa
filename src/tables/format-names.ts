export const formats = ['csv', 'ndjson', 'json'] as const

export type Format = (typeof formats)[number]

/** The formats that a list is written in. */
export const exportFormats = [...formats, 'excel'] as const

export type ExportFormat = (typeof exportFormats)[number]
