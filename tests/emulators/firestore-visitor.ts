import { randomUUID } from 'node:crypto'
import { recordId } from '../../src/shared/record-id.ts'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { visitorToken, type Write } from './firestore-rest.ts'

/** An anonymous user nobody has seen before, and the places that the rules leave to it. */
export async function newVisitor(project: string, appId: string) {
  const uid = randomUUID()
  const pathAt = async (place: number) =>
    `${subscribersPath(appId).slice(1)}/${await recordId(uid, place)}`
  return { token: visitorToken(project, uid), pathAt, path: await pathAt(0) }
}

/** A record as the page writes it. */
export function record(email: string, path: string): Write {
  return { path, fields: { email: { stringValue: email } }, serverTime: ['subscribedAt'] }
}
