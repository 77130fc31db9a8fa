import type { CollectionReference, DocumentReference, Firestore } from '@google-cloud/firestore'
import { confirmationRequestsPath } from '../../shared/subscriber.ts'

/**
 * The collections beside the subscribers. The rules let no visitor read them, or write, except in
 * one.
 */
export interface FirestorePaths {
  /** Requests to confirm, as visitors' browsers write them. */
  readonly browserRequests: CollectionReference
  /** By `addressId`. */
  readonly suppressions: CollectionReference
  /** The subscribers as the last look saw them, see `summary.ts`. */
  readonly summary: CollectionReference
  readonly announcements: CollectionReference
  /** An announcement's rows, by `addressId`; a forgotten one's id is random. */
  deliveries(announcement: string): CollectionReference
  /** One document for each time that an address was left, until its letter is done. */
  readonly outbox: CollectionReference
  /** By `addressId`. */
  readonly pending: CollectionReference
  /** Where subscribers came from, by `addressId`. */
  readonly sources: CollectionReference
  /** A document for each hour that had visits. */
  readonly visits: CollectionReference
  /** Notices for the operator, by key. */
  readonly notices: CollectionReference
  /** How far each place was told. */
  readonly noticePlaces: CollectionReference
  readonly alarms: CollectionReference
  /** The number of the last notice, and the milestone that the list has reached. */
  readonly lastNotice: DocumentReference
  /** What other systems have yet to be told, by person. */
  readonly eventQueues: CollectionReference
  /** Which events are written, and how their receiver answers. */
  readonly eventFeed: DocumentReference
  /** Whether the page is open. */
  readonly opening: DocumentReference
  /** Why no announcement leaves. */
  readonly listHold: DocumentReference
  /** The public keys that verify invitations. */
  readonly invitationKeys: CollectionReference
  readonly runLock: DocumentReference
  /** The fingerprint of the key that all `addressId`s are made with. */
  readonly linkKey: DocumentReference
  /** The times before which requested letters are released. */
  readonly released: DocumentReference
  /** How many never confirmed. */
  readonly expired: DocumentReference
  /** The version of the stored data, see `version-gate.ts`. */
  readonly version: DocumentReference
  /** Who may open the desk. */
  readonly deskAccess: DocumentReference
}

export function firestorePaths(db: Firestore, appId: string): FirestorePaths {
  const product = db.doc(`artifacts/${appId}`)
  const announcements = product.collection('announcements')
  return {
    browserRequests: db.collection(confirmationRequestsPath(appId).slice(1)),
    suppressions: product.collection('suppressions'),
    summary: product.collection('summary'),
    announcements,
    deliveries: (announcement) => announcements.doc(announcement).collection('deliveries'),
    outbox: product.collection('outbox'),
    pending: product.collection('pending'),
    sources: product.collection('sources'),
    visits: product.collection('visits'),
    notices: product.collection('notices'),
    noticePlaces: product.collection('noticePlaces'),
    alarms: product.collection('alarms'),
    eventQueues: product.collection('eventQueues'),
    eventFeed: product.collection('state').doc('eventFeed'),
    lastNotice: product.collection('state').doc('lastNotice'),
    listHold: product.collection('state').doc('listHold'),
    opening: product.collection('state').doc('opening'),
    invitationKeys: product.collection('invitationKeys'),
    runLock: product.collection('state').doc('runLock'),
    linkKey: product.collection('state').doc('linkKey'),
    released: product.collection('state').doc('released'),
    expired: product.collection('state').doc('expired'),
    version: product.collection('state').doc('version'),
    deskAccess: product.collection('state').doc('deskAccess'),
  }
}
