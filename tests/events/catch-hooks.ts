/*
 * What two automation services document of their catch hooks, as read on 25 November 2026. They are
 * not run here: these are the bodies of their documents, and what they say becomes of them.
 */

type Fields = Readonly<Record<string, unknown>>

/**
 * The Webhook node: https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.webhook/.
 * What follows it gets the headers, the query and the parsed body of a POST.
 */
export const n8n = {
  example: '{"name":"Ada","nested":{"age":27}}',
  given: { name: 'Ada', nested: { age: 27 } },
  read: (body: string) => ({
    headers: {},
    params: {},
    query: {},
    body: JSON.parse(body) as Fields,
  }),
}

/**
 * Catch Hook: https://help.zapier.com/hc/en-us/articles/8496083355661. The example is theirs; it says
 * that nested JSON is parsed recursively. Fields of fields are shown with two underscores.
 */
export const zapier = {
  example: '{"first_name":"Bryan","last_name":"Helmig","age":27}',
  given: { first_name: 'Bryan', last_name: 'Helmig', age: 27 },
  read: (body: string) => flat(JSON.parse(body) as Fields),
}

function flat(fields: Fields, before = ''): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flat(value as Fields, `${before}${name}__`))
        : [[`${before}${name}`, value]],
    ),
  )
}
