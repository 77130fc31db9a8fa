import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { formFields, type SubscribeBody } from '../../shared/api.ts'
import { parseEmail } from '../../shared/email.ts'
import type { BodySchema } from './body-schema.ts'
import { Refusal } from './refusal.ts'

/** The body of a sign-up, as the schema of its route allows it; all texts for a form. */
export interface SignUpRoute {
  Body: { readonly [Field in keyof SubscribeBody]: SubscribeBody[Field] | string }
}

/** A page of another site on which an address was left. */
export interface Elsewhere {
  readonly origin: string
  /** Of the form there, as BCP 47 has it. */
  readonly language: string
}

/** How an address came. */
export interface SignUpVisit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: SignUpRoute['Body']
  /** That of their session, where it was read already. */
  readonly uid?: string
  readonly elsewhere?: Elsewhere | undefined
}

/**
 * Stores an address that a visitor left.
 *
 * @returns what lets them answer the question of the page, if it asks one now. @throws Refusal,
 *   StoreUnavailable
 */
export type SignUp = (email: string, visit: SignUpVisit) => Promise<string | undefined>

/** The schema of a body. @param isForm whether all of it are texts. */
export function signUpBody(isForm: boolean): BodySchema {
  const fields = Object.entries({ email: 'string', ...formFields } as const).map(
    ([name, type]) => [name, { type: isForm ? 'string' : type }] as const,
  )
  return { type: 'object', properties: Object.fromEntries(fields) }
}

/** The address in a body. @throws Refusal where there is none */
export function emailIn({ body }: Pick<FastifyRequest, 'body'>): string {
  const { email } = Object(body) as { readonly email?: unknown }
  const parsed = typeof email === 'string' ? parseEmail(email) : undefined
  if (parsed === undefined) throw new Refusal('invalid-email')
  return parsed
}
