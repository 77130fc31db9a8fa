import type { Data, Part, Report } from '../shared/report.ts'

/**
 * A report for programs: figures by their names, tables and histories as lists, and `notes` with their codes.
 * `fields.json` says what each field is.
 */
export function asJson({ parts }: Report): Data {
  const notes = parts.flatMap((part) =>
    part.part === 'notes'
      ? part.notes.map(({ code, weight, at, data }) => ({
          ...{ code, ...(weight && { weight }), ...(at && { at }) },
          ...data,
        }))
      : [],
  )
  return { ...Object.assign({}, ...parts.map(fieldsOf)), notes }
}

function fieldsOf(part: Part): Data {
  if (part.part === 'table') return { [part.name]: part.rows }
  if (part.part === 'history')
    return { [part.name]: part.moments.map(({ code, at, data }) => ({ code, at, ...data })) }
  if (part.part !== 'figures') return {}
  return Object.assign(
    {},
    ...part.figures.map(({ name, value, data }) => ({ [name]: value, ...data })),
  )
}
