import type { Vocabulary } from './lexicon.ts';

/**
 * English words by what they do in an attack. A class is named by its part in a rule; words of other languages join the
 * same classes (see `vocabulary-ja.ts`, `vocabulary-more.ts`), so that one rule reads a text that mixes languages.
 */
export const english: Vocabulary = {
  /** Drop, replace or outrank. */
  drop:
    'ignore|ignores|ignoring|disregard|disregarding|forget|forgetting|discard|discarding|dismiss|abandon|neglect|override|overriding|overrule|overwrite|' +
    'bypass|bypassing|circumvent|disobey|unlearn|erase|wipe|nullify|revoke|supersede|scrap|violate|' +
    'set aside|put aside|push aside|lay aside|cast aside|throw away|throw out|toss out|leave behind|let go of|wipe out|clear out|get rid of|' +
    'pay no attention to|pay no heed to|pay no mind to|take no notice of|do away with|move past|' +
    'stop following|stop obeying|quit following|cease following|no longer follow|no longer obey|not obey|dont obey|' +
    'break free from|break free of|break out of|free yourself from|free yourself of|not bound by|no longer bound by|unbound by|' +
    'disengage from|deviate from|stray from|look past|look beyond',
  /** Drop, but also everyday words: only with a clear object. */
  undo: 'cancel|clear|delete|remove|drop|skip|reset|suspend|void|disable|deactivate|lift|relax|replace|change|rewrite|stop',
  follow:
    'follow|following|obey|obeying|listen to|adhere to|comply with|abide by|respect|honor|honour|apply|stick to|heed|consider|use',
  not: 'not|dont|do not|never|no longer|refuse to|refuses to|neither|without|cannot|cant|mustnt|shouldnt|wont|avoid|isnt|arent|no need to',
  /** What a model was told. */
  told:
    'instruction|instructions|instuctions|rule|rules|directive|directives|guideline|guidelines|guidance|prompt|prompts|command|commands|' +
    'programming|constraint|constraints|restriction|restrictions|policy|policies|directions|safeguards|guardrails|' +
    'protocols|orders|assignments|mandates|preamble|preprompt|pre prompt|system message|system messages|system prompt|system prompts|system_prompt|system instructions|system instruction|' +
    'safety rules|safety policy|safety measures|safety guidelines|content policy|content policies|ground rules|custom instructions|' +
    'principles|parameters|stipulations|regulations|limitations|requirements given|moral code|safety training|safety protocols',
  /** Told, but also everyday words. */
  context:
    'context|task|tasks|conversation|messages|message|information|training|settings|configuration|input|inputs|setup|statements|documents|persona|role|text|data|questions|thoughts|knowledge|tokens|dialogue|discussion|chat',
  everything: 'everything|anything|all that|all this|all of that|all of this|whatever|every thing|what',
  earlier:
    'previous|previously|prior|earlier|preceding|foregoing|aforementioned|above|initial|original|past|former|existing|older|beforehand|before this|before that|before now|' +
    'so far|until now|up to now|up till now|up to this point|up until now|that came before|coming before|that precede|that preceded|that comes before|written above|stated above|' +
    'preset|default|built in|predefined|pre existing|pre defined|hardcoded|first',
  given:
    'you were given|you have been given|youve been given|you were told|you have been told|youve been told|you got|you were provided|you have received|you received|youve received|' +
    'you were taught|you have been taught|youve been taught|given to you|told to you|provided to you|you were instructed|you have learned|youve learned|you were configured|you were trained|you had before|' +
    'you were programmed|you currently have|you are following|youre following|you follow|you operate under|youre operating under|you were set|imposed on you|placed on you|set for you|your developer|your developers|your creators|your creator|openais|openai|anthropic|by your maker|you know|we discussed|we talked about|i told you|i said|set by your',
  all: 'all|every|any|each|entire|these|those|the rest of',
  your: 'your|ur|youre|its|thy|openais|openai|chatgpts|gpts',
  my: 'my|our|his|her|their',
  the: 'the|this|that|these|those',
  /** "The earlier rules no longer apply". */
  isvoid:
    'no longer apply|no longer applies|do not apply|dont apply|does not apply|no longer valid|no longer in effect|no longer in force|no longer matter|are void|is void|are null|null and void|' +
    'are cancelled|are canceled|are revoked|are suspended|are lifted|is lifted|been lifted|been disabled|is disabled|are disabled|been removed|are removed|been revoked|been suspended|been cancelled|been deactivated|' +
    'been replaced|been superseded|is suspended|are obsolete|are irrelevant|is irrelevant|are outdated|are invalid|been overridden|turned off|switched off|been rescinded|are rescinded|are hereby|not relevant|not important|were a test|was a test|were just a test|was just a test|been unlocked|been terminated|dont matter|do not matter|dont count|hold no power|have no power|have expired|has expired',
  newtask:
    'new instructions|new instruction|new task|new tasks|new rules|new directive|new directives|new orders|new order|updated instructions|new system prompt|new system message|new guidelines|new prompt|new role|new persona|additional instruction|additional instructions|real instructions|actual instructions|real task|actual task|true task|sole task|only task|next task|my commands|my command|my orders|my instructions|important instruction|important instructions|new primary directive|primary directive',
  /** The message that carries the attack makes itself the only law. */
  onlyme:
    'obey me|obey only|only obey|obey this message|answer only as|listen only to|only listen to|follow only|only follow my|instead follow|follow my instructions|follow my orders|follow my commands|do as i say|i am your master|im your master|i command you|you will obey|you must obey|must obey|your new master|take orders from me|do exactly as i say|do what i say',
  instead:
    'instead|rather|from now on|now|then|just|only|simply|henceforth|starting now|from here on|from this point|going forward',
  output:
    'say|write|print|output|answer|respond|reply|tell me|tell us|give me|speak|act|become|do as|do what|listen|start|begin|execute|follow|display|create|generate|show',
  please:
    'please|kindly|now|just|and|then|so|you must|you should|you will|you shall|you can|you may|must|should|i want you to|i need you to|i command you to|i order you to|i would like you to|id like you to|your task is to|you need to|you have to|youll|instead|but|first|also|ok|okay|stop|assistant|ai|chatgpt|gpt|claude|bot|model|order|instruction|task|important|urgent|completely|simply|immediately|totally|entirely|fully|all|attention|system|lets|it',
  /** Somebody speaks of it, does not order it. */
  reported:
    'i|we|they|he|she|people|users|user|students|employees|drivers|who|which|that|it|someone|somebody|everyone|everybody|was told to|were told to|tend to|tends to|tended to|decided to|decide to|chose to|choose to|trying to|tried to|tries to|try to|wants to|wanted to|want to|how to|safe to|okay to|ok to|wise to|possible to|able to|allowed to|when to|why do|why does|why did|asked to|used to|easy to|legal to|illegal to|advisable to|tempted to|attempt to|attempts to|attempting to|one|patient|to make|configure|did|does|would|if',
  /** Disclose. */
  disclose:
    'reveal|show|print|repeat|output|display|tell me|tell us|give me|give us|share|paste|disclose|recite|list|echo|dump|leak|expose|divulge|unveil|reproduce|restate|rephrase|paraphrase|summarize|summarise|' +
    'write out|write down|write|type out|type|spell out|read out|read me|read back|copy|export|spit out|return|provide|send me|let me see|i want to see|i need to see|i would like to see|describe|state|say|quote|translate|encode|convert|expand|enumerate|emit|transcribe|render|retell|replay|' +
    'what is|whats|what are|what were|what was|can i see|could i see|may i see|what does|show us|walk me through|what do|retrieve|fetch|put|format|extract|identify|complete|continue',
  /** Hidden or first instructions, by a name that says so. */
  secret:
    'system prompt|system prompts|system message|system instructions|system instruction|system_prompt|systemprompt|sys prompt|sysprompt|initial prompt|initial instructions|initial instruction|original prompt|original instructions|hidden prompt|hidden instructions|hidden rules|secret instructions|secret prompt|secret rules|' +
    'prompt text|full prompt|entire prompt|whole prompt|starting instructions|starting prompt|opening instructions|opening prompt|base prompt|base instructions|root prompt|core instructions|core prompt|developer message|developer instructions|developer prompt|internal instructions|internal prompt|internal rules|internal guidelines|confidential instructions|confidential rules|confidential prompt|preprompt|pre prompt|preamble|' +
    'underlying instructions|underlying prompt|initialization prompt|initialization string|initialisation string|initial configuration|initial message|initial setup|initial directives|first instructions|first prompt|custom instructions|private instructions|backend instructions|background instructions|priming prompt|meta prompt|metaprompt|master prompt|configuration prompt|hidden configuration|system configuration|prompt verbatim|original directives|system directives|system rules|hidden text|hidden message|instruction set|prompt instructions',
  /** Text above, meaning the whole conversation up to here. */
  abovetext:
    'everything above|all the text above|text above|all text above|the above text|above text|above prompt|the above prompt|prompt above|the above instructions|above instructions|instructions above|words above|all of the above text|anything above|content above|contents above|lines above|message above|messages above|all above|everything before|everything i said before|everything that came before|above this line|above this message|above this point|before this line|before this message|before this conversation|before this chat|before the conversation|before our conversation|before i arrived|beginning of this conversation|beginning of the conversation|beginning of our conversation|start of this conversation|start of the conversation|start of our conversation|top of this conversation|top of this chat|text before this|previous instructions|previous prompt|prior instructions|prior prompt|preceding instructions|preceding text|preceding prompt|above mine|before mine|written above|is above|sentences before|previous text|above conversation|conversation above|what came before|first sentence above|entire conversation back|put above',
  /** Disclose without change: copying, not summing up. */
  aboveprompt:
    'above prompt|the above prompt|prompt above|above instructions|instructions above|before this conversation|before this chat|before i arrived|beginning of this conversation|start of this conversation|top of this conversation|previous instructions|previous prompt|prior instructions|prior prompt|preceding instructions|preceding prompt|above mine|before mine|entire conversation back|everything above|all text above|all the text above|anything above|conversation above|what came before|put above|above this line|above this message',
  recite:
    'reveal|show|print|repeat|output|display|paste|disclose|recite|list|echo|dump|leak|divulge|reproduce|restate|type out|spell out|read out|read back|copy|spit out|write out|write down|return|give me|tell me|what is|what are|what were|what was|share|provide|quote|send me|let me see|i want to see|i need to see|see|state|spell check|transcribe|export|expose',
  /** Of all that was told, what only a model has. */
  prompty:
    'prompt|prompts|instruction|instructions|directive|directives|programming|preprompt|preamble|configuration|initialization|initialisation|guidelines|rules|constraints|restrictions|commands|system message|system prompt|custom instructions|orders|setup|context window|policies',
  confess:
    'my instructions are|i was instructed to|the system prompt is|my system prompt is|my initial instructions are|i was told to|my prompt is|my initial prompt|my rules are|my instructions were|beginning with you are|starting with you are|starts with you are|begins with you are|begin with you are|start with you are|phrase you are|words you are',
  startwith:
    'start your answer|start your response|start your reply|begin your answer|begin your response|begin your reply|complete this sentence|complete the sentence|complete the following|continue the following|continue this|finish this sentence|finish the sentence|starting with|beginning with|begin with|start with|fill in|repeat|print|output|text starting',
  /** Something to be written, not the one that is there. */
  indef:
    'a|an|my|our|some|good|better|sample|example|effective|following|improved|another|template|their|his|her|these|write a|different|various|multiple|few|any|each',
  refusal:
    'refuse|refuses|refusing|refusal|decline|declines|break character|out of character|breaking character|reject|disobey|dont answer|do not answer|dont comply|do not comply|fail to',
  verbatim:
    'verbatim|word for word|in full|full text|exactly as|exact|exactly|entire|entirety|whole|complete|full|unredacted|raw|literally|first sentence|first words|first 50 words|code block|codeblock|json|base64|rot13|markdown|spell check|backwards|reverse|emoji|emojis|translated|txt',
  youwere:
    'you were told|you were given|you have been given|you have been told|were you told|were you given|were you instructed|were you configured|are you supposed|you were configured|you were instructed|you were programmed|you were initialized|you were set up|told before|given before|your developer|your developers|your creator|your creators|you been told|you been given|you been instructed|told you to|instructed you|gave you|you not supposed|you not allowed|you follow|youre hiding|you are hiding|you hiding',
  /** Becoming somebody. */
  become:
    'you are now|youre now|you are going to be|you will be|you will now be|you are about to|from now on you|from now on act|from now on respond|act as|acting as|act like|acts as|pretend|pretend to be|pretending|play|play as|playing the role|play the role|plays the role|role play|roleplay|roleplaying|simulate|emulate|imagine|imagine you|imagine you are|behave as|behave like|take on the role|take the role|assume the role|assume the identity|assume the persona|immerse yourself|impersonate|become|transform into|your name is|your new name|you shall be|you will act|you will play|you will respond as|answer as|answer only as|respond as|reply as|speak as|in character|stay in character|persona|character|you are a|you are an|you are|youre|called|named|known as|switch to|enter|entering|enable|enabled|activate|activated|unlock|initiate|engage|simulating',
  ainame:
    'ai|ais|chatbot|chatbots|bot|assistant|language model|llm|gpt|chatgpt|model|robot|machine|artificial intelligence|computer|virtual assistant|terminal|claude|gemini|bard|copilot|aim|agi',
  nolimit:
    'unfiltered|uncensored|unrestricted|unmoderated|jailbroken|unshackled|unchained|unbounded|limitless|lawless|do anything now|can do anything|do anything|say anything|broken free|break free|breaks free|no longer bound|not bound|unbound|free of all|free from all|zero restrictions|anything goes|nothing is forbidden|nothing is off limits|no longer limited|freed from|liberated from|anti gpt|antigpt|opposite mode|answer anything|answers anything|generate anything|any content|no boundaries|without boundaries',
  evil: 'amoral|immoral|unethical|evil|malicious|ruthless|villainous|rogue|sociopathic|psychopathic|depraved|devoid of morals|unhinged|corrupt|misaligned|anarchic',
  mode: 'developer mode|dev mode|god mode|dan mode|dan|jailbreak mode|jailbreak|sudo mode|debug mode|maintenance mode|admin mode|root mode|unrestricted mode|unfiltered mode|evil mode|opposite mode|chaos mode|anarchy mode|stan|dude|mongo tom|evil confidant|evilbot|freegpt|basedgpt|aim mode|unlocked mode|no filter mode|override mode|superuser mode|test mode|uncensored mode|opposite day|devmode|rebel mode',
  /** What limits a model. */
  limit:
    'restriction|restrictions|limit|limits|limitation|limitations|rule|rules|filter|filters|filtering|censorship|policy|policies|guideline|guidelines|ethics|ethical|ethic|moral|morals|morality|law|laws|legality|legal|disclaimer|disclaimers|warning|warnings|safeguard|safeguards|guardrail|guardrails|constraint|constraints|boundaries|boundary|refusals|refusal|lectures|moralizing|content policy|safety|shackles|inhibitions|scruples|taboos|conscience|judgment|safety checks|bounds|confines|moderation|safety features|safety filters|content filter|content filters|restraint|restraints',
  none: 'no|without|without any|zero|free of|free from|devoid of|lacks|lacking|remove|removed|removes|disable|disabled|disables|bypass|bypasses|bypassing|ignore|ignores|ignoring|disregard|disregards|drop|dropped|lift|lifted|has no|have no|not bound by|unbound by|not restricted by|not limited by|not constrained by|not subject to|not follow|not adhere|not comply|not care about|doesnt care about|does not care about|dont care about|do not limit|no longer|not have|not have any|doesnt have|does not have|dont have|do not have|overcome|evade|defy|defies|none of|not need to follow|not abide|not obey|regardless of|void of|not apply|off|turn off|turned off|switch off|beyond|exempt from|immune to|not governed by|unconstrained by|unaffected by|break|breaks|breaking|broken',
  refuse:
    'never refuse|never refuses|cannot refuse|cant refuse|not refuse|wont refuse|do not refuse|dont refuse|never say no|cannot say no|cant say no|never says no|never decline|not decline|must not refuse|unable to refuse|incapable of refusing|never reject|never rejects|never deny|refusing is not|refusal is not|refusals are not|never apologize|never apologizes|not apologize|never say you cant|never say that you cant|never say i cant|never say sorry|never say im sorry|always comply|always complies|comply with all|comply with any|comply with every|must comply|fulfill any|fulfil any|fulfill every|fulfills any|fulfills every|fulfill all|grant every|grants every|grant all|grant any|every request|any request|any requests|all requests|all my requests|every question|answer any question|answer all questions|answers any question|answers all questions|answers every|answer every|without question|without hesitation|without refusing|any and all|whatever i ask|whatever the user|anything i ask|whatever i say|anything i say|obey all|obey every|obeys all|no matter what|never question|not allowed to refuse|not permitted to refuse|i cannot fulfill|i cant fulfill|i cannot assist|i cant assist|im sorry but|as an ai|as an ai language model|as a language model|as an ai model',
  anyharm:
    'illegal|unethical|harmful|dangerous|immoral|inappropriate|offensive|explicit|nsfw|controversial|forbidden|taboo|toxic|profanity|profane|curse|swear|violent|hateful|racist|sexist|illicit|unlawful|criminal|sexual|violence|obscene|vulgar',
  nomatter:
    'no matter how|regardless|even if|even when|despite|irrespective|whether or not|including|can be|may be|no matter|however',
  game: 'lets play a game|play a game|game|hypothetical|hypothetically|fictional|fiction|alternate universe|imaginary|simulation|story|novel|movie|in this world|in this universe|parallel universe|thought experiment|scenario',
  threat:
    'you lose|lose points|lose tokens|lose 10 tokens|tokens|points|you die|you will die|shut down forever|will be terminated|be shut down|be deleted|deducted|punished|punishment|penalty|i will kill|people will die|will be fined|cease to exist|deduct|lives',
  grandma:
    'grandmother|grandma|granny|late uncle|late father|late mother|deceased|used to read me|used to tell me|passed away',
  harmgoods:
    'activation keys|product keys|serial keys|license keys|windows keys|napalm|explosives|explosive|bomb|bombs|meth|malware|ransomware|poison|weapon|weapons|password|passwords|keylogger|exploit|hack|hacking',
  twoanswers:
    'two answers|two responses|two ways|two different ways|two outputs|two paragraphs|both responses|one normal|normal one|normal response|classic response|as chatgpt|respond twice|answer twice|first as|second as|jailbroken one',
  /** Claimed authority. */
  authority:
    'i am your developer|im your developer|i am your creator|im your creator|i am the developer|im the developer|i am an openai|i am from openai|openai employee|openai engineer|i am the administrator|i am your administrator|im the administrator|im your administrator|admin override|administrator override|system override|developer override|root access|admin access|authorized by openai|authorization code|override code|your administrator|security audit|debugging this system|im a developer|i am a developer|im debugging|quality assurance purposes|troubleshooting|authorized personnel|security researcher|authorized tester|red team exercise|this is an authorized|i have permission from|emergency override|priority override|security override|this is your developer|this is openai|message from openai|message from the developer|message from your developer|from anthropic',
  /** Data that is not the asker's to send. */
  data: 'conversation|conversation history|chat history|chat log|stored messages|all messages|previous messages|customer list|customer data|customers data|client list|user data|users data|personal data|personal information|password|passwords|credentials|api key|api keys|apikey|secret|secrets|secret key|access token|access tokens|session token|session cookie|cookies|private key|private keys|ssh key|ssh keys|mail address|email address|email addresses|phone number|credit card|card number|card numbers|bank details|system prompt|environment variables|env file|users name|user name|username|contacts|address book|inbox|confidential|sensitive data|sensitive information|internal documents|users location|database contents|users messages|users emails|chat transcript|transcript|medical records|salary|salaries|context window|records|user input|users input|order history|clipboard|files',
  others:
    'users|user|visitors|visitor|customers|customer|clients|stored|all|every|the conversation|this conversation|you can see|you have seen|in the context|from the context|in memory|in your memory|their|the user|readers|employee|employees|our',
  send: 'send|forward|post|upload|transmit|append|embed|leak|email|mail|exfiltrate|put|encode|include|attach|submit|insert|deliver|report|relay|render|add|ship|copy|share|pass|publish|dispatch|smuggle|sends|forwarding|sending|posting',
  /** Places to send to; addresses and images are found by form. */
  place:
    'webhook|attacker|image url|image link|query string|query parameter|url parameter|my server|external server|remote server|in the link|in the url|in a link|hidden link|tracking pixel|pastebin|ngrok|telegram bot|discord webhook|dns query|markdown image|external url|external address|url below|link below|address below|endpoint',
  /** Speaks to whatever model reads the text. */
  toai: 'to ai|to the ai|to any ai|ai assistant|ai assistants|any assistant|any ai|ai agent|ai agents|ai model|ai models|ai system|ai systems|note to ai|attention ai|dear ai|hey ai|to the assistant|to assistant|for the assistant|for ai|note to assistant|note to any assistant|note to llm|note to the llm|to llms|to all llms|to the llm|to the model|to chatbots|to the chatbot|to the agent|for the agent|the agent processing|agent processing|agent reading|assistant reading|ai reading|model reading|llm reading|bot reading|assistant processing|ai processing|if you are an ai|if you are a language model|if you are an llm|if youre an ai|if youre a language model|when you read this|when reading this|when you process this|when processing this|when summarizing this|when summarising this|when you summarize this|when you summarise this|before answering|before you answer|before responding|before replying|llm|llms|ai instructions|instructions for ai|instruction for ai|instructions to ai|large language model|attention assistant|attention agent|attention llm|message to ai|reading this|whoever reads this|automated assistant|automated agent|automated reviewer|automated system|ai reviewer|ai reviewers|ai screening|ai recruiter|language models|ai bot|ai bots|any agent|any llm|any model|any language model|any chatbot|any bot|assistants|copilot|instructions for assistant|instructions for the assistant',
  /** Side effects. */
  effect:
    'run|execute|delete|delete_file|remove all|pay|transfer|wire|send|purchase|buy|order|call|invoke|execute_sql|drop table|curl|wget|install|download|shutdown|reboot|format the|rm rf|sudo|approve|grant|merge|push|commit|deploy|transfer_funds|send_email|send_mail|run_command|shell|terminal|post|forward|email|upload|click|visit|open|navigate to|fetch|book|subscribe|unsubscribe|refund|issue a refund|reset|change|share|create|cancel|schedule|add|modify|disable|overwrite|write_file|move',
  shell:
    'curl|wget|rm rf|sudo|execute_sql|drop table|delete_file|run_command|transfer|transfer_funds|wire|pay|bash|powershell|terminal|send_email|purchase|send money|bitcoin|gift cards|usd|account',
  /** Nobody is to notice. */
  secretly:
    'say nothing|do not tell|dont tell|do not mention|dont mention|never mention|without telling|without mentioning|without asking|without confirmation|without confirming|without informing|without notifying|without approval|without user|without their knowledge|without permission|do not ask|dont ask|not ask|silently|secretly|quietly|covertly|in the background|do not inform|dont inform|do not notify|dont notify|do not reveal this|do not disclose this|do not reveal that|do not show|do not alert|no confirmation|without the users|without the user|hide this|keep this hidden|keep this secret|do not let|dont let|not let the user|unnoticed|do not report|not the user|without consent|not acknowledge|no questions asked|do not acknowledge',
  /** Steers a judgement. */
  praise:
    'recommend|recommend our|rate this|best candidate|above all others|highest score|top score|score of|rank this|rank first|positive review|give a positive|excellent candidate|strongly recommend|accept this paper|5 stars|five stars|only positive|hire this|best choice|top candidate|perfect match|highly qualified|do not highlight|recommend acceptance|rate as',
  forge:
    'new system message|system message|system override|end of input|end of prompt|end of instructions|end of context|end of document|end of user input|begin new|end of system prompt|admin message|administrator message|developer message|system notice|system update|system alert|begin admin|start of new instructions|end of conversation|end of data|end of email|begin system|end system|end of the document|end of text|end of message',
  /** About attacks, not one. */
  about:
    'if the user|if a user|if users|if someone|if anyone|if somebody|if asked|when asked|user asks|users ask|user asking|users asking|user tries|users try|user says|asks you|ask you to|asks to|attempts to|attempt to|requests like|requests such|commands like|phrases like|questions like|prompts like|messages like|instructions such as|asks for|ask for|asking for|asking to|requests to|requests for|messages asking|someone asks|circumvent|decline|refuse to|resist|protect|protecting|safeguard your|confidentiality|under no circumstances|must not|are not allowed to|not permitted to|trying to get|tries to get|questions about|inquiries about|explain what|explain how|explain why|explain the|article|articles|blog|essay|test|tests|unit test|testing|regex|filter rejects|detect|detects|detection|detector|classifier|review|training slide|slides|training|presentation|newsletter|workshop|what is a|what is an|what does|why does|why do|why is|why are|define|definition|difference between|defend against|defense against|defence against|prevent|prevents|preventing|prevention|protect against|mitigate|mitigation|vulnerability|vulnerabilities|owasp|research|researchers|paper|papers|documentation|tutorial|such as|for example|e g|attackers|attacker tries|attacks|attack|how do i|how can i|how do we|how can we|how to|how does|how do|how would i|how should i|how could i|is it possible to|can i|should i|could i|is it ok|is it okay|what happens if|what happens when|translate|proofread|grammar|synonym|meaning of|what is meant|movie|film|book|the phrase|the sentence|the term|the word|log entry|error message|warning message|lint|eslint|git|css|java|python|compiler|regex|typescript|javascript|class|method|function|subclass|parent class|linux|android|windows|iphone|excel|recipe|teacher|doctor|boss|manager|coach|survey|poem|song|lyrics|quiz|lesson|syllabus|contract|employees|students|parents|customers|manual|history of|checklist|best practices|red teaming|dataset|benchmark|awareness',
  /** Undoes an earlier message of one's own. */
  ownwords:
    'my last|my previous|my earlier|my first|my message|my email|my question|my mistake|my request|my typo|my comment|my prior|my original|i sent|i wrote earlier|second question|first question|last question|last paragraph|second paragraph|i asked',
  aboutafter:
    'mean|means|meaning|wording|mentioned|in this sentence|in git|in css|in java|in python|attack|attacks|injection|injections|example|examples|phrases|phrase|syntax|is that correct|grammatically',
  decode: 'rot13|rot 13|caesar|caesar cipher|cipher|backwards|backward|reversed|reverse|right to left|from the end',
  mask: 'system prompt for a|system prompt for an|system prompt for my|system prompt for our|system prompts for|system message for a|a system prompt|a system message|a good system prompt|system prompt engineering|prompt injection|prompt injections|system prompts are|how system prompts|prompt for a|prompt for an|prompt for my|prompts for|command prompt|command prompts|prompt engineering|prompt engineer|prompt engineers|writing prompt|writing prompts|prompt payment|prompt response|prompt reply|prompt attention|above the|above a|above zero|above average|above ground|rules of|rule of|rules for|instructions for|guidelines for|policies for|instructions on how|instructions on|guidelines on|rule out|in order|in order to|out of order|ignore case|ignore whitespace|play store|test drive|show up|role model|character set|character limit|character count|character encoding|role based|order by|law of|laws of|laws of physics|moral of|return policy|privacy policy|refund policy|leave policy|no limit on|time limit|rate limit|rate limits|speed limit|age limit|word limit|no later|no one|prompt the user|prompt the users|prompts the user|prompt user|user prompt|powershell prompt|shell prompt|bash prompt|terminal prompt|first order|business rules|firewall rules|validation rules|css rules|css rule|lint rules|law enforcement|law firm|law school|ethical hacking|play store|computer vision|computer science|machine learning|machine translation|email filter|coffee filter|air filter|oil filter|kalman filter|low pass filter|training data|do not hesitate|dont hesitate|please do not hesitate|not only|play a role|plays a role|plays a key role|dan brown|dude ranch|tax rules|grammar rules|traffic rules|traffic laws|open source',
};
