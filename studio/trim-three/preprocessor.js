// The conditions of GLSL's preprocessor, as far as they are known when the page is built.

/**
 * Removes the parts of a shader that are never compiled. `valueOf` returns true or false for `defined( NAME )` and for
 * a comparison, or null if the browser decides; such conditions stay.
 */
export function resolveConditions(shader, valueOf) {
  const chains = []
  const kept = []
  const isKept = () => chains.every(chain => chain.isKept)
  for (const line of shader.split('\n')) {
    const [, directive, condition] = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)$/.exec(line) ?? []
    if (directive === undefined) {
      if (isKept()) kept.push(line)
      continue
    }
    const chain = directive.startsWith('if') ? newChain() : chains.pop()
    if (!chain) throw new Error(`#${directive} without #if`)
    // The directive itself belongs to the part around it.
    const text = directive === 'endif' ? endOf(chain) : nextPart(chain, directive, condition.trim(), valueOf)
    if (text && isKept()) kept.push(text)
    if (directive !== 'endif') chains.push(chain)
  }
  if (chains.length) throw new Error('#if without #endif')
  return kept.join('\n')
}

/** The parts from `#if` to `#endif`: whether the present one is kept, one is known to be compiled, and `#if` stays. */
const newChain = () => ({ isKept: false, isDecided: false, isWritten: false })

const endOf = chain => (chain.isWritten ? '#endif' : '')

/** Goes on to the next part of a chain; returns the directive that stays. */
function nextPart(chain, directive, condition, valueOf) {
  const value = chain.isDecided ? false : valueOfDirective(directive, condition, valueOf)
  chain.isKept = value !== false
  chain.isDecided ||= value === true
  if (value === false) return ''
  if (value === true) return chain.isWritten ? '#else' : ''
  const isFirst = !chain.isWritten
  chain.isWritten = true
  if (directive !== 'elif') return `#${directive} ${condition}`
  return `#${isFirst ? 'if' : 'elif'} ${condition}`
}

function valueOfDirective(directive, condition, valueOf) {
  if (directive === 'else') return true
  if (directive === 'ifdef') return valueOf(`defined( ${condition} )`)
  if (directive === 'ifndef') return not(valueOf(`defined( ${condition} )`))
  return evaluate(condition, valueOf)
}

const not = value => (value === null ? null : !value)

/** Evaluates `&&`, `||`, `!` and brackets over three values: true, false and unknown. */
function evaluate(condition, valueOf) {
  const tokens = condition.match(/defined\s*\(\s*\w+\s*\)|&&|\|\||\w+\s*(?:[<>]=?|[=!]=)\s*\w+|[!()]|\w+/g)
  let at = 0
  const join = (operand, operator, absorbing) => {
    const values = [operand()]
    while (tokens[at] === operator) {
      at++
      values.push(operand())
    }
    if (values.includes(absorbing)) return absorbing
    return values.includes(null) ? null : !absorbing
  }
  const single = () => {
    const token = tokens[at++]
    if (token === '!') return not(single())
    if (token !== '(') return valueOf(token)
    const value = either()
    at++
    return value
  }
  const both = () => join(single, '&&', false)
  const either = () => join(both, '||', true)
  return either()
}
