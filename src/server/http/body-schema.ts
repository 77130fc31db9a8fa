import type { FastifyInstance } from 'fastify'

/** The JSON Schema of a body, as far as ours need it: an object with fields of these types. */
export interface BodySchema {
  readonly type: 'object'
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'boolean' | 'number' }>>
}

/**
 * Checks bodies by the schemas of their routes: an invalid one is a 400. Fastify's own compiler, Ajv,
 * changes values into the type that was asked for.
 */
export function checkBodies(app: FastifyInstance) {
  app.setValidatorCompiler<BodySchema>(({ schema }) => {
    const fits = fitsSchema(schema)
    return (body: unknown) => fits(body) || { error: new Error('the body does not fit its schema') }
  })
}

/**
 * Tests whether a body fits. Fields that a schema does not name are ignored, since an older page may
 * send them. The body may be missing if no field is required.
 */
export function fitsSchema({ required = [], properties }: BodySchema): (body: unknown) => boolean {
  const types = new Map(Object.entries(properties).map(([name, { type }]) => [name, type]))
  return (body) => {
    if (body === null) return required.length === 0
    if (typeof body !== 'object' || Array.isArray(body)) return false
    if (!required.every((name) => Object.hasOwn(body, name))) return false
    return Object.entries(body).every(([name, value]) => {
      const type = types.get(name)
      if (type === 'number') return Number.isFinite(value)
      return type === undefined || typeof value === type
    })
  }
}
