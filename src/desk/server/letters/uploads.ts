import type { FastifyInstance } from 'fastify'
import { LONGEST_LETTER } from './letter-folder.ts'

/** The letter, and the rest of the form: its other fields, and their boundaries. */
const MOST_BYTES = LONGEST_LETTER + 20_000

/**
 * Lets forms bring a letter as a file: its text is the field `source`, and its name, unless one is
 * typed, that of the file.
 */
export function uploads(inside: FastifyInstance) {
  inside.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MOST_BYTES },
    async (request: { headers: { 'content-type'?: string | undefined } }, body: Buffer) => {
      const type = request.headers['content-type'] ?? ''
      const fields: Record<string, string> = {}
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
        .formData()
        .catch((cause: unknown) => {
          throw Object.assign(new Error('no form', { cause }), { statusCode: 400 })
        })
      for (const [name, value] of form) {
        if (typeof value === 'string') fields[name] ??= value
        else if (value.size > 0) {
          fields.source = new TextDecoder().decode(await value.arrayBuffer())
          fields.fileName = value.name
        }
      }
      if (!fields.name && fields.fileName) fields.name = nameOf(fields.fileName)
      return fields
    },
  )
}

/** `We are live.md` becomes `we-are-live`. */
function nameOf(file: string): string {
  return file
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
}
