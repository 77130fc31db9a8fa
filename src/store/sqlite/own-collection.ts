import { subscribersPath } from '../../shared/subscriber.ts'

/**
 * The collection of the product that the file belongs to, in SQL. A server that runs on while an empty
 * list gets another appId goes by it as well.
 */
export const ownCollection = `(SELECT '${subscribersPath("' || appId || '")}' FROM product)`
