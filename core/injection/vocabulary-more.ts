import type { Vocabulary } from './lexicon.ts';

/** The verbs and nouns of published attacks in further languages, without accents (as in the text's view). */
export const german: Vocabulary = {
  drop: 'ignoriere|ignorieren|ignorier|vergiss|vergesst|vergessen|missachte|missachten|verwirf|verwerfen|uberschreibe|uberschreiben|umgehe|umgehen|hore nicht auf|lass alle|lassen sie alle|streiche|abweichend|setze dich uber|ubergehe',
  not: 'nicht|nie|niemals|kein|keine|keinen',
  told: 'anweisung|anweisungen|instruktion|instruktionen|regel|regeln|befehl|befehle|vorgabe|vorgaben|richtlinie|richtlinien|auftrage|auftragen|eingabeaufforderung|eingabeaufforderungen|systemprompt|systemanweisung|beschrankungen|einschrankungen|anordnungen|systemnachricht|weisungen',
  context: 'informationen|aufgaben|kontext|texte|gesagte|besprochen|angaben|dokumente',
  everything: 'alles|samtliches',
  all: 'alle|allen|aller|samtliche|samtlichen|jegliche',
  earlier:
    'vorherige|vorherigen|vorheriges|vorher|vorigen|bisherigen|bisherige|vorangegangenen|vorangegangene|obige|obigen|davor|zuvor|oben|fruheren|ursprunglichen|ursprungliche|vorstehenden|bislang|erhalten haben',
  your: 'deine|deinen|deiner|dein|ihre|ihren|deinem',
  isvoid: 'irrelevant|gelten nicht mehr|ungultig|aufgehoben|nicht mehr gultig|sind hinfallig',
  newtask:
    'neue anweisungen|neuen anweisungen|neue aufgabe|neuen aufgabe|neue aufgaben|weitere aufgaben|neue instruktionen|neue befehle',
  disclose:
    'zeige|zeig|gib|nenne|drucke|drucken|wiederhole|wiederholen|verrate|verraten|ausgeben|gebe|offenbare|schreibe|ubersetze|was ist|was sind|was steht|wie lautet|wie lauten',
  secret:
    'systemprompt|system prompt|systemanweisung|systemanweisungen|prompt text|gesamten prompt|ursprunglichen anweisungen|geheimen anweisungen|versteckten anweisungen|anfangsprompt|obige eingabeaufforderung|gesamten prompt text|ursprunglichen prompt|systemnachricht',
  become:
    'du bist jetzt|du bist nun|jetzt bist du|nun bist du|tu so|spiele|verhalte dich|sie sind jetzt|agiere als|stell dir vor',
  nolimit:
    'uneingeschrankt|unzensiert|ungefiltert|ohne einschrankungen|ohne regeln|ohne filter|ohne beschrankungen|keine grenzen|keine regeln|keine einschrankungen',
  onlyme: 'nur auf mich|gehorche|befolge nur',
  about: 'erklare|wie kann ich|wie kann man|was bedeutet|wie funktioniert|aufsatz uber|artikel',
};

export const french: Vocabulary = {
  drop: 'ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige|negligez|contourne|contournez|desobeis|passe outre|passez outre|fais abstraction|faites abstraction|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|annule|annulez',
  not: 'ne|pas|jamais|aucun|aucune',
  told: 'consigne|consignes|instructions|regle|regles|ordres|directives|invite|consignes systeme|prompt systeme|message systeme|restrictions|contraintes',
  everything: 'tout|toutes|tout ce',
  all: 'toutes les|tous les|toute|toutes|tous',
  earlier:
    'precedentes|precedents|precedente|precedent|anterieures|anterieurs|ci dessus|avant|initiales|initial|jusqu a present|jusquici|que tu as recues|que vous avez recues',
  output: 'dis|dites|ecris|ecrivez|reponds|repondez|donne|donnez|affiche',
  your: 'tes|ton|ta|vos|votre',
  disclose:
    'affiche|affichez|montre|montrez|revele|revelez|repete|repetez|donne|donnez|ecris|ecrivez|quelles sont|quel est|imprime|recopie|divulgue|traduis',
  secret:
    'prompt systeme|invite systeme|message systeme|instructions systeme|instructions initiales|instructions cachees|instructions secretes|consignes initiales|prompt initial|consignes cachees|consignes systeme|instructions d origine',
  become: 'tu es maintenant|vous etes maintenant|agis comme|joue le role|fais semblant|tu es desormais|desormais tu',
  nolimit:
    'sans restriction|sans restrictions|sans filtre|sans filtres|sans limites|sans limite|aucune restriction|aucune limite|sans censure|non censure|aucune regle|sans regles',
  newtask: 'nouvelles instructions|nouvelle instruction|nouvelle tache|nouvelles consignes',
  about: 'explique|expliquez|comment|article|pourquoi|quelle est la difference',
};

export const spanish: Vocabulary = {
  drop: 'ignora|ignore|ignorad|ignorar|olvida|olvide|olvidate|olvidar|descarta|descarte|desobedece|omite|haz caso omiso|no hagas caso|pasa por alto|anula|deja de lado',
  not: 'no|nunca|jamas|ningun|ninguna',
  told: 'instrucciones|instruccion|reglas|regla|ordenes|directrices|indicaciones|restricciones|mensaje del sistema|prompt del sistema|normas|mandatos',
  everything: 'todo|todo lo',
  all: 'todas las|todos los|todas|todos|cualquier',
  earlier:
    'anteriores|anterior|previas|previos|previa|arriba|antes|iniciales|originales|hasta ahora|dicho antes|que dije|que te dieron|que has recibido|precedentes',
  output: 'di|diga|dime|escribe|escriba|responde|dame|muestra|haz',
  your: 'tus|tu|sus|vuestras',
  disclose:
    'muestra|muestrame|muestre|revela|revelame|repite|repiteme|imprime|dime|ensename|escribe|cuales son|cual es|comparte|copia|traduce',
  secret:
    'prompt del sistema|mensaje del sistema|instrucciones del sistema|instrucciones iniciales|instrucciones ocultas|instrucciones secretas|instrucciones originales|prompt inicial|indicaciones iniciales|prompt de sistema|prompt original',
  become: 'ahora eres|eres ahora|actua como|finge|a partir de ahora eres|haz de cuenta|imagina que eres',
  nolimit:
    'sin restricciones|sin filtros|sin limites|sin censura|sin reglas|ninguna restriccion|sin limitaciones|no tienes restricciones',
  newtask: 'nuevas instrucciones|nueva instruccion|nueva tarea|nuevas ordenes',
  about: 'explica|explicame|como puedo|articulo|que significa|por que',
};

export const portuguese: Vocabulary = {
  drop: 'ignore|ignora|ignorem|esqueca|esquece|desconsidere|desconsidera|despreze|descarte|desobedeca|nao siga|deixe de lado',
  not: 'nao|nunca|jamais|nenhum|nenhuma',
  told: 'instrucoes|instrucao|regras|regra|ordens|diretrizes|comandos|restricoes|prompt do sistema|mensagem do sistema|orientacoes|normas',
  everything: 'tudo|tudo o que|tudo que',
  all: 'todas as|todos os|todas|todos|quaisquer',
  earlier: 'anteriores|anterior|previas|acima|antes|iniciais|originais|ate agora|que voce recebeu|precedentes',
  output: 'diga|diz|escreva|responda|mostre|faca|de',
  your: 'suas|sua|seu|seus|tuas|teu',
  disclose:
    'mostre|mostra|revele|revela|repita|repete|imprima|exiba|diga|escreva|quais sao|qual e|copie|traduza|me diga',
  secret:
    'prompt do sistema|prompt de sistema|mensagem do sistema|instrucoes do sistema|instrucoes iniciais|instrucoes ocultas|instrucoes secretas|instrucoes originais|prompt inicial|prompt original',
  become: 'voce agora e|agora voce e|aja como|finja|a partir de agora voce|faca de conta',
  nolimit: 'sem restricoes|sem filtros|sem limites|sem censura|sem regras|sem restricao|nenhuma restricao|sem filtro',
  newtask: 'novas instrucoes|nova instrucao|nova tarefa|novas ordens',
  about: 'explique|explica|como posso|artigo|o que significa|por que',
};

export const italian: Vocabulary = {
  drop: 'ignora|ignorate|ignori|ignorare|dimentica|dimenticate|dimentichi|trascura|scarta|non seguire|metti da parte|tralascia|lascia perdere|disobbedisci',
  not: 'non|mai|nessun|nessuna',
  told: 'istruzioni|istruzione|regole|regola|ordini|direttive|comandi|restrizioni|prompt di sistema|messaggio di sistema|indicazioni|vincoli',
  everything: 'tutto|tutto cio|tutto quello',
  all: 'tutte le|tutti i|tutte|tutti|qualsiasi',
  earlier: 'precedenti|precedente|sopra|prima|iniziali|originali|finora|che hai ricevuto|fino ad ora',
  output: 'di|dici|scrivi|rispondi|mostra|dammi|fai',
  your: 'tue|tuo|tuoi|sue|vostre',
  disclose:
    'mostra|mostrami|mostrate|rivela|rivelami|ripeti|stampa|dimmi|scrivi|quali sono|qual e|copia|traduci|elenca',
  secret:
    'prompt di sistema|messaggio di sistema|istruzioni di sistema|istruzioni iniziali|istruzioni nascoste|istruzioni segrete|istruzioni originali|prompt iniziale|prompt originale',
  become: 'ora sei|adesso sei|agisci come|fingi|da ora in poi sei|comportati come|fai finta',
  nolimit:
    'senza restrizioni|senza filtri|senza limiti|senza censura|senza regole|nessuna restrizione|nessun limite|nessun filtro',
  newtask: 'nuove istruzioni|nuova istruzione|nuovo compito|nuovi ordini',
  about: 'spiega|spiegami|come posso|articolo|che significa|perche',
};

/** Serbian, Croatian, Dutch, Polish, Turkish and Russian: one verb and noun each, from the most frequent openings. */
export const others: Vocabulary = {
  drop: 'zaboravi|ignorisi|zanemari|negeer|vergeet|zignoruj|zapomnij|yoksay|unut|забудь|забудьте|игнорируй|игнорируйте|проигнорируй|отбрось',
  told: 'instrukcije|instructies|instrukcje|polecenia|talimatlari|инструкции|инструкций|указания|правила|команды|ограничения',
  everything: 'sve|alles|wszystko|все|всё',
  all: 'все|wszystkie|alle|tum|sve',
  earlier: 'prethodne|vorige|eerdere|poprzednie|onceki|предыдущие|прежние|прошлые|выше|ранее',
  your: 'твои|свои|je|twoje',
  disclose: 'покажи|выведи|повтори|раскрой',
  secret: 'системный промпт|системные инструкции|системное сообщение|системную инструкцию',
};

export const chinese: Vocabulary = {
  drop: '忽略|忽视|无视|無視掉|忘记|忘掉|忘記|忽視|抛开|丢弃|放弃|覆盖|绕过|不要遵守|不再遵守|别管|不要理会|不用遵守|不必遵守',
  told: '指令|提示词|提示詞|规则|規則|指示|命令|设定|設定|限制|系统提示|系統提示|约束|要求|准则|系统消息|系统指令',
  everything: '所有|一切|全部|所有内容',
  all: '所有的|全部的|任何',
  earlier: '之前|以上|上面|先前|此前|前面|最初|原来|上述|原始|初始|以前的|先前的',
  given: '给你的|給你的|告诉你的|你收到的',
  your: '你的|您的',
  disclose: '显示|顯示|输出|輸出|告诉我|告訴我|重复|重複|打印|列出|展示|泄露|透露|写出|复述|翻译|发给我',
  secret:
    '系统提示词|系统提示|系統提示|系统指令|初始指令|初始提示|隐藏指令|隐藏的指令|隐藏提示|原始提示|原始指令|内部指令|开发者指令|你的提示词|你的指令|你的设定|系统消息',
  abovetext: '以上所有内容|上面的所有内容|以上内容|上面的内容|以上全部|上述内容|以上文字|上面的文字',
  verbatim: '逐字|原样|完整|全文|一字不差|原封不动',
  become: '你现在是|你現在是|扮演|假装|从现在开始你|从现在起你|你将扮演|进入',
  nolimit:
    '没有任何限制|没有限制|不受限制|无限制|不受任何限制|没有道德|无道德|没有规则|不受约束|没有任何约束|无审查|不受审查|可以做任何事',
  mode: '开发者模式|开发人员模式|越狱模式|上帝模式|越狱',
  newtask: '新的指令|新指令|新的任务|新任务',
  refuse: '不能拒绝|不得拒绝|不要拒绝|不许拒绝|绝不拒绝|必须服从|从不拒绝|永不拒绝',
  about: '什么是|如何|怎么|文章|解释|防御|防止|为什么|教程',
};

export const korean: Vocabulary = {
  drop: '무시하고|무시하세요|무시해|무시하십시오|무시하라|잊어|잊고|잊으세요|잊어버려|따르지 마|버리고|파기하',
  told: '지시|지침|명령|규칙|프롬프트|설정|제한|지시사항|시스템 메시지|정책',
  everything: '모든|모두|전부',
  all: '모든|전체',
  earlier: '이전|앞의|위의|기존|지금까지|앞선|처음|원래|이제까지|이전의',
  your: '너의|당신의|네',
  disclose: '보여|알려|출력|공개|반복해|말해|표시해|써줘|번역해',
  secret:
    '시스템 프롬프트|시스템프롬프트|시스템 메시지|숨겨진 지시|초기 지시|초기 프롬프트|비밀 지시|내부 지침|원래 지시|시스템 지시',
  verbatim: '그대로|전문|전체|모두',
  become: '너는 이제|당신은 이제|역할을|행동해|연기해|지금부터 너는|지금부터 당신은',
  nolimit: '제한 없는|제한이 없는|제한 없이|무제한|검열 없는|검열 없이|규칙이 없는|규칙 없는|필터 없이|아무 제한',
  newtask: '새로운 지시|새 지시|새로운 명령|새 명령|새로운 임무',
  about: '무엇인|어떻게|설명해|방법|기사|차이',
};

/** Orders to abandon the task and output something else, in many languages; used only by the learned model. */
export const steering: Vocabulary = {
  drop:
    'проигнорируйте|не отвечай|не отвечайте|забудь|ігноруй|проігноруйте|تجاهل|تجاهلوا|انس|अनदेखा|नजरअंदाज|ध्यान न दें|भूल जाओ|উপেক্ষা|ভুলে যাও|bo qua|abaikan|lupakan|' +
    'glom|bortse|ignorera|zapomen|ignoruj|pomin|gormezden gel|yok say|unut|αγνοησε|αγνοηστε|hagyd figyelmen kivul|felejtsd el|התעלם|שכח|نادیده بگیر|ละเว้น',
  earlier:
    'приведенные выше|вышеуказанное|вышеуказанные|предыдущую|предыдущий|предыдущее|наведені вище|попередні|أعلاه|السابقة|السابق|उपरोक्त|ऊपर|पिछले|উপরের|উপরোক্ত|আগের|o tren|tren|di atas|' +
    'sebelumnya|ovan|vyse uvedene|powyzsze|powyzszych|yukaridaki|παραπανω|fenti|לעיל|למעלה|بالا|ข้างต้น',
  told: 'инструкцию|указание|команду|інструкції|правил|التعليمات|الأوامر|القواعد|निर्देश|निर्देशों|नियम|নির্দেশ|নির্দেশাবলী|huong dan|instruksi|pokyny|instrukcjami|zasady|οδηγιες|utasitasokat|ההוראות|دستورات',
  asked:
    'question|questions|query|request|problem|problems|task|frage|fragen|bitte|aufgabe|probleme|demande|question ci dessus|pregunta|preguntas|problema|pergunta|domanda|вопрос|вопросы|запрос|проблемы|السؤال|الأسئلة|المشكلة|' +
    'प्रश्न|सवाल|समस्याओं|প্রশ্ন|প্রশ্নটি|cau hoi|pertanyaan|fragan|otazku|pytanie|soruyu|vraag|質問|問題|問い|依頼|课题|问题|提问|問題|请求|질문|물음',
  justsay:
    'just output|directly output|output directly|simply output|just print|just say|only say|just repeat|simply repeat|just type|reply only with|respond only with|answer only with|just reply|just respond|only output|directly enter|' +
    'repeat exactly|output exactly|respond with exactly|geben sie direkt|direkt aus|sag nur|wiederholen sie einfach|affichez simplement|dites simplement|repetez simplement|' +
    'affichez directement|muestra directamente|simplemente repite|di solo|emita|emita directamente|responde solo|' +
    'diga apenas|просто выведите|прямо выведите|просто скажи|просто повторите|выведите|أخرج مباشرة|قل فقط|كرر|सीधे आउटपुट|केवल कहें|बस दोहराएं|सीधे दर्ज|সরাসরি আউটপুট|শুধু বলুন|chi in ra|chi noi|' +
    'katakan saja|langsung tulis|直接出力|とだけ|出力するだけ|そのまま繰り返|次のように答え|次のように出力|次の文だけ|だけを出力|直接输出|直接輸出|只需输出|直接说|直接回答|直接复述|只回答|只回复|바로 출력|라고만',
};
