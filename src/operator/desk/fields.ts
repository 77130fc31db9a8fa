import type { FastifyRequest } from 'fastify'

/** The fields of a form that was posted, each as a text: of one that came twice the first, else empty. */
export function fieldsOf({ body }: Pick<FastifyRequest, 'body'>): (name: string) => string {
  const fields = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  return (name) => {
    const [first] = [fields.get(name)].flat()
    return typeof first === 'string' ? first : ''
  }
}
