/** `coxswain completion`: scripts for shells. They run `coxswain complete`, so they contain no commands. */
import { UsageError } from './flag.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

// They run the program of the command line, which need not be on the PATH.
const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Readline splits words at = and : and inserts only the last part. Before bash 4 there is no compopt, and thus no
  // file names.
  bash: `# source <(coxswain completion bash)
_coxswain() {
  local program="\${1/#\\~/$HOME}" line word tail part= glued= i
  local -a words=()
  COMPREPLY=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if ((\${#words[@]})) && [[ $word == [=:] || -n $glued ]]; then words[\${#words[@]}-1]+="$word"; else words+=("$word"); fi
    [[ $word == [=:] ]] && glued=1 || glued=
  done
  word="\${words[\${#words[@]}-1]}"
  tail="\${word##*[=:]}"
  [[ $COMP_WORDBREAKS == *=* ]] && part="\${word%"$tail"}"
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default 2>/dev/null ;;
      :nospace) compopt -o nospace 2>/dev/null ;;
      *) line="\${line%%$'\\t'*}"; COMPREPLY+=("\${line#"$part"}") ;;
    esac
  done < <("$program" complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _coxswain coxswain
`,
  zsh: `#compdef coxswain
# source <(coxswain completion zsh)
_coxswain() {
  local line word program="\${words[1]/#\\~/$HOME}"
  local -a described ending
  local -i files=0
  for line in "\${(@f)$("$program" complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    case "$line" in
      :files) files=1 ;;
      :nospace) ending=(-S '') ;;
      ?*)
        word="\${\${line%%$'\\t'*}//:/\\\\:}"
        [[ $line == *$'\\t'* ]] && word+=":\${line#*$'\\t'}"
        described+=("$word")
        ;;
    esac
  done
  (( $#described )) && _describe -t coxswain coxswain described "\${ending[@]}"
  if (( files )); then
    [[ $words[CURRENT] == -*=* ]] && compset -P '*='
    _files
  fi
}
if [[ $funcstack[1] == _coxswain ]]; then
  _coxswain "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _coxswain coxswain
fi
`,
  fish: `# coxswain completion fish | source
function __coxswain_ask
  set -l line (commandline -cp)
  test "$line" = "$__coxswain_line"; and return
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l program (string replace -r '^~' $HOME -- $before[1])
  set -g __coxswain_answer ($program complete -- $before[2..-1] "$current" 2>/dev/null)
  set -g __coxswain_line "$line"
end
function __coxswain_words
  __coxswain_ask
  string match -rv '^:' -- $__coxswain_answer
end
function __coxswain_files
  __coxswain_ask
  contains -- :files $__coxswain_answer
end
complete -c coxswain -f -a '(__coxswain_words)'
complete -c coxswain -F -n __coxswain_files
`,
};

/** Throws UsageError for an unknown shell. */
export function completionScript(args: readonly string[]): string {
  const shell = SHELLS.find((each) => each === args[0]);
  if (shell === undefined || args.length > 1) throw new UsageError(`coxswain completion takes one of ${SHELLS.join(', ')}`);
  return SCRIPTS[shell];
}
