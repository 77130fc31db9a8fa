import { type Act, actData, type Row } from '../../../shared/report.ts'
import { deskActs } from '../../contract/acts.ts'
import { Button } from '../parts/button.tsx'
import { PostForm } from '../post-form.tsx'
import { useShell } from '../view.ts'

/** What the desk has for an act: a button, a link, or the command to type. @param row of a table, whose values it takes. */
export function ActOf({ row, ...act }: Act & { readonly row?: Row }) {
  const { tool } = useShell()
  const [unless = '', why] = act.unless ?? []
  if (row?.[unless]) return why
  const data = actData(act, row)
  const { post, href } = deskActs[act.code] ?? {}
  if (post)
    return (
      <PostForm action={post} values={data}>
        <Button aria-label={[act.words, ...Object.values(data)].join(' ')}>{act.words}</Button>
      </PostForm>
    )
  if (href) return <a href={href}>{act.words}</a>
  return (
    <>
      {act.words}:{' '}
      <code>
        {tool} {act.command}
      </code>
    </>
  )
}
