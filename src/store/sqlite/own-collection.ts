import { subscribersPath } from '../../shared/subscriber.ts'

/**
 * The collection of the product that the file belongs to, in SQL. A server that runs on while an empty
 * list gets another appId goes by it as well.
 */
export const ownCollection = `(
  SELECT '${subscribersPath(`' || (data ->> '$') || '`)}' FROM notes WHERE name = 'appId')`

/** What a record says, in SQL; of one that cannot be read, which makes no query fail, it is nothing. */
export const inRecord = (name: 'email' | 'subscribedAt' | 'addressId') =>
  `iif(json_valid(documents.data), documents.data ->> '${name}', NULL)`
