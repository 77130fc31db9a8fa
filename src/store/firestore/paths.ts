import type { CollectionReference, DocumentReference, Firestore } from '@google-cloud/firestore'
import { confirmationRequestsPath } from '../../shared/subscriber.ts'

/** What stands beside the subscribers, where the rules let no visitor read, and write in one alone. */
export interface FirestorePaths {
  /** What visitors' browsers write where whoever signs up has to confirm it. */
  readonly browserRequests: CollectionReference
  /** By `addressId`. */
  readonly suppressions: CollectionReference
  /** What the last look saw of the subscribers, see `summary.ts`. */
  readonly summary: CollectionReference
  readonly announcements: CollectionReference
  /** An announcement's rows, by `addressId`; a forgotten one's id is random. */
  deliveries(announcement: string): CollectionReference
  /** One document for each time that somebody left an address, until its letter is done with. */
  readonly outbox: CollectionReference
  /** By `addressId`. */
  readonly pending: CollectionReference
  /** Where subscribers came from, by `addressId`. */
  readonly sources: CollectionReference
  /** A document for each hour that had visits. */
  readonly visits: CollectionReference
  /** What the operator is to be told of, by key. */
  readonly notices: CollectionReference
  /** How far each place was told. */
  readonly noticePlaces: CollectionReference
  readonly alarms: CollectionReference
  /** The number of the last notice, and the milestone that the list has reached. */
  readonly lastNotice: DocumentReference
  /** Whether the page is open. */
  readonly opening: DocumentReference
  /** Why no announcement leaves. */
  readonly listHold: DocumentReference
  /** Who was invited, by the invitation's id. */
  readonly invitations: CollectionReference
  /** The public key with which invitations are verified. */
  readonly invitationKey: DocumentReference
  readonly runLock: DocumentReference
  /** The fingerprint of the key that all `addressId`s are made with. */
  readonly linkKey: DocumentReference
  /** By when letters were asked for that the operator released. */
  readonly released: DocumentReference
  /** How many never confirmed. */
  readonly expired: DocumentReference
  /** The version of all that is kept, see `version-gate.ts`. */
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
    lastNotice: product.collection('state').doc('lastNotice'),
    listHold: product.collection('state').doc('listHold'),
    opening: product.collection('state').doc('opening'),
    invitations: product.collection('invitations'),
    invitationKey: product.collection('state').doc('invitationKey'),
    runLock: product.collection('state').doc('runLock'),
    linkKey: product.collection('state').doc('linkKey'),
    released: product.collection('state').doc('released'),
    expired: product.collection('state').doc('expired'),
    version: product.collection('state').doc('version'),
    deskAccess: product.collection('state').doc('deskAccess'),
  }
}
