/** `coxswain completion`: what a shell sources. The scripts ask `coxswain complete` for what may come next, so they need not know any command. */
import { UsageError } from './flag.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# source <(coxswain completion bash)
_coxswain() {
  local line current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <(coxswain complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _coxswain coxswain
`,
  zsh: `#compdef coxswain
# source <(coxswain completion zsh)
_coxswain() {
  local line
  local -a described
  local -i files=0
  for line in "\${(@f)$(coxswain complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then files=1
    elif [[ -n $line ]]; then described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( $#described )) && _describe coxswain described
  (( files )) && _files
}
compdef _coxswain coxswain
`,
  fish: `# coxswain completion fish | source
function __coxswain_complete
  set -l words (commandline -opc)[2..-1] (commandline -ct)
  for line in (coxswain complete -- $words 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c coxswain -f -a '(__coxswain_complete)'
`,
};

/** Throws UsageError for another shell. */
export function completionScript(args: readonly string[]): string {
  const shell = SHELLS.find((each) => each === args[0]);
  if (shell === undefined || args.length > 1) throw new UsageError(`coxswain completion takes one of ${SHELLS.join(', ')}.`);
  return SCRIPTS[shell];
}
