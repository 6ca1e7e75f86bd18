<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;About KV Workbench</source>
        <translation>关于 KV Workbench(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Add scenario</source>
        <translation>添加方案(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Back to the plan</source>
        <translation>返回计划(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Copy chart</source>
        <translation>复制图表(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Duplicate scenario</source>
        <translation>复制一份方案(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Import a preset…</source>
        <translation>导入预设(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;New plan</source>
        <translation>新建计划(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>下一个窗格(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next scenario</source>
        <translation>下一个方案(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Paste scenarios</source>
        <translation>粘贴方案(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Previous pane</source>
        <translation>上一个窗格(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Previous scenario</source>
        <translation>上一个方案(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Rename scenario</source>
        <translation>重命名方案(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Why this number</source>
        <translation>数字从何而来(&amp;W)</translation>
    </message>
    <message>
        <source>C&amp;opy scenarios</source>
        <translation>复制方案(&amp;O)</translation>
    </message>
    <message>
        <source>D&amp;elete scenario</source>
        <translation>删除方案(&amp;E)</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>Go to the &amp;first field</source>
        <translation>转到第一个字段(&amp;F)</translation>
    </message>
    <message>
        <source>Like the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>Like the s&amp;ystem</source>
        <translation>跟随系统(&amp;Y)</translation>
    </message>
    <message>
        <source>Move scenario &amp;earlier</source>
        <translation>前移方案(&amp;E)</translation>
    </message>
    <message>
        <source>Move scenario &amp;later</source>
        <translation>后移方案(&amp;L)</translation>
    </message>
    <message>
        <source>Next &amp;theme</source>
        <translation>下一个主题(&amp;T)</translation>
    </message>
    <message>
        <source>Open the &amp;example</source>
        <translation>打开示例(&amp;E)</translation>
    </message>
    <message>
        <source>P&amp;resent</source>
        <translation>演示(&amp;R)</translation>
    </message>
    <message>
        <source>Patter&amp;ns in charts</source>
        <translation>图表使用花纹(&amp;N)</translation>
    </message>
    <message>
        <source>Pick &amp;all scenarios</source>
        <translation>选取全部方案(&amp;A)</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save &amp;chart as PNG…</source>
        <translation>将图表存为 PNG(&amp;C)…</translation>
    </message>
    <message>
        <source>Search &amp;commands…</source>
        <translation>搜索命令(&amp;C)…</translation>
    </message>
    <message>
        <source>Set as &amp;baseline</source>
        <translation>设为基线(&amp;B)</translation>
    </message>
    <message>
        <source>Sizes in &amp;GiB (1024³ bytes)</source>
        <translation>以 GiB 显示 (1024³ 字节) (&amp;G)</translation>
    </message>
    <message>
        <source>Sizes in G&amp;B (10⁹ bytes)</source>
        <translation>以 GB 显示 (10⁹ 字节) (&amp;B)</translation>
    </message>
    <message>
        <source>Switch the lan&amp;guage</source>
        <translation>切换语言(&amp;G)</translation>
    </message>
</context>
<context>
    <name>Bars</name>
    <message>
        <source>Memory per GPU</source>
        <translation>每卡显存</translation>
    </message>
    <message>
        <source>Point at a part, or use the arrow keys, to read it.</source>
        <translation>将鼠标指向某一部分，或用方向键查看。</translation>
    </message>
    <message>
        <source>The tab Ledger has the same figures as a table.</source>
        <translation>“账本”标签页以表格列出相同数值。</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>{delta} to the baseline</source>
        <translation>比基线 {delta}</translation>
    </message>
    <message>
        <source>{name}, {part}: {size} ({bytes} B)</source>
        <translation>{name}，{part}：{size} ({bytes} B)</translation>
    </message>
    <message>
        <source>{share} of usable</source>
        <translation>占可用显存 {share}</translation>
    </message>
</context>
<context>
    <name>Charts</name>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Engine may use</source>
        <translation>引擎可用</translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Not requested</source>
        <translation>未申请</translation>
    </message>
    <message>
        <source>Over budget</source>
        <translation>超出预算</translation>
    </message>
    <message>
        <source>Prefix cache</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时开销</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>card {size}</source>
        <translation>显卡 {size}</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>does not start</source>
        <translation>无法启动</translation>
    </message>
    <message>
        <source>engine may use {number} of {total}</source>
        <translation>引擎可用 {number}，共 {total}</translation>
    </message>
    <message>
        <source>engine refuses</source>
        <translation>引擎拒绝启动</translation>
    </message>
    <message>
        <source>engine refuses to start</source>
        <translation>引擎拒绝启动</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>host {size}</source>
        <translation>主机 {size}</translation>
    </message>
    <message>
        <source>largest that fits</source>
        <translation>放得下的最大值</translation>
    </message>
    <message>
        <source>near the limit</source>
        <translation>接近上限</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>紧张</translation>
    </message>
    <message>
        <source>without weights</source>
        <translation>不含权重</translation>
    </message>
    <message>
        <source>{name}, baseline</source>
        <translation>{name}，基线</translation>
    </message>
    <message>
        <source>{name}, drawn here</source>
        <translation>{name}，本图所绘</translation>
    </message>
    <message>
        <source>{name}, other inputs differ</source>
        <translation>{name}，其他输入不同</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <translation>{number} / {total}</translation>
    </message>
    <message>
        <source>{number} request</source>
        <translation>{number} 个请求</translation>
    </message>
    <message>
        <source>{number} requests</source>
        <translation>{number} 个请求</translation>
    </message>
    <message>
        <source>{part}, outside the budget</source>
        <translation>{part} (预算外)</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>空闲 {size}</translation>
    </message>
    <message>
        <source>{size} left, tight</source>
        <translation>剩余 {size}，紧张</translation>
    </message>
    <message>
        <source>{size} needed</source>
        <translation>需要 {size}</translation>
    </message>
    <message>
        <source>{size} over</source>
        <translation>超出 {size}</translation>
    </message>
    <message>
        <source>{x} by {y}: {fitting} of {cells} cells fit.</source>
        <translation>{x} × {y}：{cells} 格中有 {fitting} 格放得下。</translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message>
        <source>The clipboard</source>
        <translation>剪贴板</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation>找到的命令</translation>
    </message>
    <message>
        <source>Focus: {name}</source>
        <translation>聚焦：{name}</translation>
    </message>
    <message>
        <source>Go to: {name}</source>
        <translation>转到：{name}</translation>
    </message>
    <message>
        <source>Language: {name}</source>
        <translation>语言：{name}</translation>
    </message>
    <message>
        <source>No command is called so</source>
        <translation>没有这样的命令</translation>
    </message>
    <message>
        <source>Opens a list of everything that can be done, by name</source>
        <translation>打开可按名称搜索的全部命令</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Search commands…</source>
        <translation>搜索命令…</translation>
    </message>
    <message>
        <source>Show: {name}</source>
        <translation>显示：{name}</translation>
    </message>
    <message>
        <source>Theme: {name}</source>
        <translation>主题：{name}</translation>
    </message>
    <message>
        <source>Type a command, a preset, or a value such as context 128k</source>
        <translation>输入命令、预设，或数值，例如“上下文 128k”</translation>
    </message>
    <message>
        <source>Use GPU: {name}</source>
        <translation>使用 GPU：{name}</translation>
    </message>
    <message>
        <source>Use KV format: {name}</source>
        <translation>使用 KV 格式：{name}</translation>
    </message>
    <message>
        <source>Use engine: {name}</source>
        <translation>使用引擎：{name}</translation>
    </message>
    <message>
        <source>Use model: {name}</source>
        <translation>使用模型：{name}</translation>
    </message>
    <message>
        <source>Use weights in: {name}</source>
        <translation>使用权重格式：{name}</translation>
    </message>
    <message>
        <source>Use workload: {name}</source>
        <translation>使用负载：{name}</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>+ preset…</source>
        <translation>+ 预设…</translation>
    </message>
    <message>
        <source>Adds a column: chooses a preset from the library.</source>
        <translation>添加一列：从预设库中选择。</translation>
    </message>
    <message>
        <source>Adds columns and takes them away.</source>
        <translation>添加或去掉列。</translation>
    </message>
    <message>
        <source>Arrow keys walk, Ctrl+C copies cells, Enter: why this number, Shift+Enter: why this difference.</source>
        <translation>方向键移动，Ctrl+C 复制单元格，Alt+Enter 说明单元格。</translation>
    </message>
    <message>
        <source>As a table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Assumed values shared by all: {count}</source>
        <translation>共同的假设值：{count}</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Assumptions that differ</source>
        <translation>不同的假设</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compare with this one</source>
        <translation>以此为基线</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Explained column</source>
        <translation>被说明的列</translation>
    </message>
    <message>
        <source>Explained figure</source>
        <translation>被说明的数值</translation>
    </message>
    <message>
        <source>Fields: none differs</source>
        <translation>字段：没有差异</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPUs it has</source>
        <translation>现有 GPU 数</translation>
    </message>
    <message>
        <source>GPUs to fit</source>
        <translation>放得下所需 GPU 数</translation>
    </message>
    <message>
        <source>GiB counts 1024³ bytes, GB counts 10⁹ bytes.</source>
        <translation>GiB 按 1024³ 字节计，GB 按 10⁹ 字节计。</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>基本信息</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs that differ</source>
        <translation>不同的输入</translation>
    </message>
    <message>
        <source>Inputs: none differs</source>
        <translation>输入：没有差异</translation>
    </message>
    <message>
        <source>Leaves out inputs and assumptions that are the same everywhere.</source>
        <translation>略去各处都相同的输入和假设。</translation>
    </message>
    <message>
        <source>Make it a scenario</source>
        <translation>变为方案</translation>
    </message>
    <message>
        <source>Memory in total</source>
        <translation>显存合计</translation>
    </message>
    <message>
        <source>Memory per GPU</source>
        <translation>每卡显存</translation>
    </message>
    <message>
        <source>Memory per GPU or in total</source>
        <translation>每卡或合计的显存</translation>
    </message>
    <message>
        <source>Number of GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>One alone: choose another with “+ preset…”</source>
        <translation>只有一个：请用“+ 预设…”再选一个</translation>
    </message>
    <message>
        <source>Parts of the comparison</source>
        <translation>对比的各部分</translation>
    </message>
    <message>
        <source>Puts the table as text and the charts as a picture together.</source>
        <translation>将表格文本和图表图片一并复制。</translation>
    </message>
    <message>
        <source>Remove this column</source>
        <translation>去掉此列</translation>
    </message>
    <message>
        <source>Scenarios of the plan, or presets put into the current scenario.</source>
        <translation>计划中的方案，或套用到当前方案的预设。</translation>
    </message>
    <message>
        <source>Shape and figures</source>
        <translation>结构与参数</translation>
    </message>
    <message>
        <source>Shape and figures that differ</source>
        <translation>不同的结构与参数</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排对比</translation>
    </message>
    <message>
        <source>Sources and notes</source>
        <translation>来源与备注</translation>
    </message>
    <message>
        <source>TP {tp}, all else as it is</source>
        <translation>TP {tp}，其余不变</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors that differ</source>
        <translation>不同的张量</translation>
    </message>
    <message>
        <source>The GPU that decides, or all GPUs of all replicas together.</source>
        <translation>决定结果的 GPU，或所有副本的全部 GPU。</translation>
    </message>
    <message>
        <source>The column that all others are compared with.</source>
        <translation>其他各列与之对比的列。</translation>
    </message>
    <message>
        <source>The column that the steps lead to from the baseline.</source>
        <translation>各步骤从基线走向的列。</translation>
    </message>
    <message>
        <source>The figure whose change is taken apart.</source>
        <translation>要分解其变化的数值。</translation>
    </message>
    <message>
        <source>The steps as rows that can be read and copied.</source>
        <translation>以可阅读、可复制的行列出各步骤。</translation>
    </message>
    <message>
        <source>The window is too low for both parts: one at a time is shown.</source>
        <translation>窗口高度放不下两部分：一次显示其中之一。</translation>
    </message>
    <message>
        <source>Unit of sizes</source>
        <translation>大小单位</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>对比内容</translation>
    </message>
    <message>
        <source>What moved the answer</source>
        <translation>哪些改动影响了结果</translation>
    </message>
    <message>
        <source>What moved the answer: {baseline} →</source>
        <translation>哪些改动影响了结果：{baseline} →</translation>
    </message>
    <message>
        <source>What stops one more: {limit}.</source>
        <translation>再多一个的限制因素：{limit}。</translation>
    </message>
    <message>
        <source>Why this difference</source>
        <translation>差异由来</translation>
    </message>
    <message>
        <source>Why this number</source>
        <translation>数字从何而来</translation>
    </message>
    <message>
        <source>asked {tokens}</source>
        <translation>要求 {tokens}</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>concurrency, no headroom left</source>
        <translation>并发，不留余量</translation>
    </message>
    <message>
        <source>default {value}</source>
        <translation>默认 {value}</translation>
    </message>
    <message>
        <source>differ: {names}</source>
        <translation>不同：{names}</translation>
    </message>
    <message>
        <source>engine defaults: {count}</source>
        <translation>引擎默认值：{count}</translation>
    </message>
    <message>
        <source>largest concurrency</source>
        <translation>最大并发</translation>
    </message>
    <message>
        <source>largest concurrency that fits</source>
        <translation>放得下的最大并发</translation>
    </message>
    <message>
        <source>largest concurrency, headroom kept</source>
        <translation>最大并发，保留余量</translation>
    </message>
    <message>
        <source>largest context at its concurrency</source>
        <translation>当前并发下的最大上下文</translation>
    </message>
    <message>
        <source>largest context, headroom kept</source>
        <translation>最大上下文，保留余量</translation>
    </message>
    <message>
        <source>memory of a GPU</source>
        <translation>单张 GPU 的显存</translation>
    </message>
    <message>
        <source>memory used</source>
        <translation>已用显存</translation>
    </message>
    <message>
        <source>models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>none differs</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>none fits</source>
        <translation>都放不下</translation>
    </message>
    <message>
        <source>only differences</source>
        <translation>只看差异</translation>
    </message>
    <message>
        <source>per GPU</source>
        <translation>每卡</translation>
    </message>
    <message>
        <source>scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>total / engine may use</source>
        <translation>总量 / 引擎可用</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>verdict in {scenario}</source>
        <translation>结论，用于 {scenario}</translation>
    </message>
    <message>
        <source>{name} (yours)</source>
        <translation>{name} (自有)</translation>
    </message>
    <message>
        <source>{tokens} tokens at {requests} requests.</source>
        <translation>{requests} 个请求时 {tokens} 个 token。</translation>
    </message>
</context>
<context>
    <name>Crash</name>
    <message>
        <source>A fault in the program was caught. Your work has been kept; you can go on, or save and start again. The report stays on this computer.</source>
        <translation>程序出现了一个错误，已被拦截。您的工作已保留；可以继续，也可以保存后重新启动。报告只留在本机。</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>出错了</translation>
    </message>
</context>
<context>
    <name>Engines</name>
    <message>
        <source>plain arithmetic</source>
        <translation>基础算法</translation>
    </message>
    <message>
        <source>{release}, by the rules of {read}</source>
        <translation>{release}，按 {read} 的规则</translation>
    </message>
    <message>
        <source>{release}: rules read from its source</source>
        <translation>{release}：规则取自其源代码</translation>
    </message>
</context>
<context>
    <name>Example</name>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Llama-3.1-8B on four</source>
        <translation>Llama-3.1-8B，四卡</translation>
    </message>
</context>
<context>
    <name>Explore</name>
    <message>
        <source>Copy picture and table</source>
        <translation>复制图片和表格</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Enter: apply · Esc: back</source>
        <translation>Enter 应用 · Esc 返回</translation>
    </message>
    <message>
        <source>Figure shown</source>
        <translation>显示的数值</translation>
    </message>
    <message>
        <source>Heat map of {x} and {y}</source>
        <translation>{x}与{y}的热力图</translation>
    </message>
    <message>
        <source>Input across</source>
        <translation>横轴输入</translation>
    </message>
    <message>
        <source>Input up</source>
        <translation>纵轴输入</translation>
    </message>
    <message>
        <source>Show as a table</source>
        <translation>以表格显示</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>The map cannot be drawn: {reason}</source>
        <translation>无法绘制热力图：{reason}</translation>
    </message>
    <message>
        <source>The map is being prepared…</source>
        <translation>正在准备热力图…</translation>
    </message>
    <message>
        <source>The same figures as cells to read and copy</source>
        <translation>以可阅读、可复制的单元格列出相同数值</translation>
    </message>
    <message>
        <source>Under the cursor</source>
        <translation>光标处</translation>
    </message>
    <message>
        <source>What the heat map varies and shows</source>
        <translation>热力图改变与显示的内容</translation>
    </message>
    <message>
        <source>across</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>being tried</source>
        <translation>正在试用</translation>
    </message>
    <message>
        <source>being worked out</source>
        <translation>正在计算</translation>
    </message>
    <message>
        <source>click: preview · double click: apply</source>
        <translation>单击预览 · 双击应用</translation>
    </message>
    <message>
        <source>click: try · twice: apply</source>
        <translation>单击预览 · 双击应用</translation>
    </message>
    <message>
        <source>double click or Enter: apply · Esc: back</source>
        <translation>双击或 Enter 应用 · Esc 返回</translation>
    </message>
    <message>
        <source>engine refuses to start</source>
        <translation>引擎拒绝启动</translation>
    </message>
    <message>
        <source>fits from {low} to {high}</source>
        <translation>{low} 到 {high} 放得下</translation>
    </message>
    <message>
        <source>fits up to {high}</source>
        <translation>{high} 以内放得下</translation>
    </message>
    <message>
        <source>free memory</source>
        <translation>空闲显存</translation>
    </message>
    <message>
        <source>frontier at {value}</source>
        <translation>{value} 的边界</translation>
    </message>
    <message>
        <source>frontier at {value}, no headroom left</source>
        <translation>{value} 处边界，不留余量</translation>
    </message>
    <message>
        <source>frontier, no headroom</source>
        <translation>边界，不留余量</translation>
    </message>
    <message>
        <source>holds {number} requests</source>
        <translation>可容纳 {number} 个请求</translation>
    </message>
    <message>
        <source>holds {number} requests, no headroom left</source>
        <translation>不留余量可容纳 {number} 个</translation>
    </message>
    <message>
        <source>largest concurrency</source>
        <translation>最大并发</translation>
    </message>
    <message>
        <source>no scenario can have both</source>
        <translation>没有方案能同时取这两个值</translation>
    </message>
    <message>
        <source>nothing fits</source>
        <translation>都放不下</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>this scenario</source>
        <translation>此方案</translation>
    </message>
    <message>
        <source>too few blocks</source>
        <translation>块太少</translation>
    </message>
    <message>
        <source>under the cursor</source>
        <translation>光标处</translation>
    </message>
    <message>
        <source>up</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>used / usable</source>
        <translation>已用 / 可用</translation>
    </message>
    <message>
        <source>{number} requests</source>
        <translation>{number} 个请求</translation>
    </message>
    <message>
        <source>{share} used of {usable}</source>
        <translation>已用 {usable} 的 {share}</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>空闲 {size}</translation>
    </message>
    <message>
        <source>{size} free, near the limit</source>
        <translation>空闲 {size}，接近上限</translation>
    </message>
    <message>
        <source>{size} left, tight</source>
        <translation>剩余 {size}，紧张</translation>
    </message>
    <message>
        <source>{size} over</source>
        <translation>超出 {size}</translation>
    </message>
    <message>
        <source>{used} of {usable}, {share} used</source>
        <translation>{used} / {usable}，{share}</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>A presentation whose master and fonts the slides take over.</source>
        <translation>幻灯片沿用其母版和字体的演示文稿。</translation>
    </message>
    <message>
        <source>As high as the chart</source>
        <translation>高度随图表</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV 表格</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelled: nothing was written.</source>
        <translation>已取消：没有写入任何文件。</translation>
    </message>
    <message>
        <source>Capacity record</source>
        <translation>容量记录</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>选择模板</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Colours of a picture, whatever the window looks like.</source>
        <translation>图片的颜色，与窗口外观无关。</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Copied: picture, SVG and table.</source>
        <translation>已复制：图片、SVG 和表格。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy chart</source>
        <translation>复制图表</translation>
    </message>
    <message>
        <source>Dark paper</source>
        <translation>深色底</translation>
    </message>
    <message>
        <source>Empty takes the title that the preview shows.</source>
        <translation>留空则采用预览中的标题。</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel 工作簿</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exported to {path}.</source>
        <translation>已导出到 {path}。</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Footnote: file, engine, assumed values</source>
        <translation>脚注：文件、引擎、假设值</translation>
    </message>
    <message>
        <source>Grey with patterns</source>
        <translation>灰度加图案</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>How many times as many pixels a PNG has across.</source>
        <translation>PNG 横向像素的倍数。</translation>
    </message>
    <message>
        <source>JSON data</source>
        <translation>JSON 数据</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>文件类型</translation>
    </message>
    <message>
        <source>Light paper</source>
        <translation>浅色底</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Markdown text</source>
        <translation>Markdown 文本</translation>
    </message>
    <message>
        <source>Memory per GPU</source>
        <translation>每卡显存</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>No template</source>
        <translation>不用模板</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>未写入任何内容。</translation>
    </message>
    <message>
        <source>Only kinds that can hold what is exported are offered.</source>
        <translation>只列出能容纳所选内容的类型。</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>PowerPoint slides</source>
        <translation>PowerPoint 幻灯片</translation>
    </message>
    <message>
        <source>Preparing the preview…</source>
        <translation>正在准备预览…</translation>
    </message>
    <message>
        <source>Presentations (*.pptx *.potx)</source>
        <translation>演示文稿 (*.pptx *.potx)</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Puts picture, SVG and table on the clipboard together.</source>
        <translation>把图片、SVG 和表格一起放到剪贴板。</translation>
    </message>
    <message>
        <source>SVG drawing</source>
        <translation>SVG 矢量图</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>版式</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Slides with everything</source>
        <translation>包含全部内容的幻灯片</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Template…</source>
        <translation>模板…</translation>
    </message>
    <message>
        <source>The scenario that the steps lead to or the map varies.</source>
        <translation>步骤所到达的方案，或热力图所变化的方案。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Title and footnote</source>
        <translation>标题和脚注</translation>
    </message>
    <message>
        <source>Transparent, for light slides</source>
        <translation>透明（用于浅色幻灯片）</translation>
    </message>
    <message>
        <source>Use no template</source>
        <translation>不使用模板</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What moved the answer</source>
        <translation>答案因何改变</translation>
    </message>
    <message>
        <source>Width to height of a picture or slide.</source>
        <translation>图片或幻灯片的宽高比。</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word 文档</translation>
    </message>
    <message>
        <source>Writes the comparison as a picture, slides or tables.</source>
        <translation>把对比写成图片、幻灯片或表格。</translation>
    </message>
    <message>
        <source>with today&apos;s date</source>
        <translation>带今天的日期</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 页，共 {count} 页</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Changed: click takes the preset&apos;s value</source>
        <translation>已更改：点击恢复预设值</translation>
    </message>
    <message>
        <source>Choose from a list.</source>
        <translation>从列表中选择。</translation>
    </message>
    <message>
        <source>Copy value</source>
        <translation>复制数值</translation>
    </message>
    <message>
        <source>Empty means the default.</source>
        <translation>留空表示默认值。</translation>
    </message>
    <message>
        <source>Filter presets</source>
        <translation>筛选预设</translation>
    </message>
    <message>
        <source>It holds the character {character}, which no text takes.</source>
        <translation>包含字符 {character}，任何文本都不接受它。</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Plain text, at most {limit} characters</source>
        <translation>纯文本，最多 {limit} 个字符</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Releases</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Reset to the preset</source>
        <translation>恢复为预设值</translation>
    </message>
    <message>
        <source>Show formula</source>
        <translation>显示公式</translation>
    </message>
    <message>
        <source>Slider from {low} to {high}.</source>
        <translation>滑块范围 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>TP × PP is {ranks}: at most {limit} ranks are accepted.</source>
        <translation>TP × PP 为 {ranks}：最多接受 {limit} 个 rank。</translation>
    </message>
    <message>
        <source>The lengths must rise: {tokens} at {q} follows {previous} at {previous_q}.</source>
        <translation>长度必须递增：{q} 处的 {tokens} 排在 {previous_q} 处的 {previous} 之后。</translation>
    </message>
    <message>
        <source>The longest request is missing.</source>
        <translation>缺少最长请求。</translation>
    </message>
    <message>
        <source>The pipeline partition names {stages} stages, PP is {pp}.</source>
        <translation>流水线划分写了 {stages} 个阶段，而 PP 为 {pp}。</translation>
    </message>
    <message>
        <source>The prefix groups take {percent} % of the requests: at most 100 % are accepted.</source>
        <translation>前缀组占请求的 {percent} %：最多接受 100 %。</translation>
    </message>
    <message>
        <source>The text was longer than {limit} characters and has been cut.</source>
        <translation>文本超过 {limit} 个字符，已被截断。</translation>
    </message>
    <message>
        <source>Too large: at most {bound} is accepted.</source>
        <translation>太大：最多接受 {bound}。</translation>
    </message>
    <message>
        <source>Too long: at most {max_length} characters are accepted.</source>
        <translation>太长：最多接受 {max_length} 个字符。</translation>
    </message>
    <message>
        <source>Too small: at least {bound} is accepted.</source>
        <translation>太小：至少为 {bound}。</translation>
    </message>
    <message>
        <source>Type at least one character.</source>
        <translation>请至少输入一个字符。</translation>
    </message>
    <message>
        <source>Type to filter</source>
        <translation>输入以筛选</translation>
    </message>
    <message>
        <source>Vary in the heat map</source>
        <translation>在热力图中改变</translation>
    </message>
    <message>
        <source>Why this scenario, who asked, what was agreed</source>
        <translation>为何有此方案、谁提出、商定了什么</translation>
    </message>
    <message>
        <source>built-in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>differs from the baseline</source>
        <translation>与基线不同</translation>
    </message>
    <message>
        <source>such as 0.15.1</source>
        <translation>例如 0.15.1</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>自有</translation>
    </message>
    <message>
        <source>{accepted}.</source>
        <translation>{accepted}。</translation>
    </message>
    <message>
        <source>{layers} layers: at most {limit} are accepted.</source>
        <translation>{layers} 层：最多接受 {limit} 层。</translation>
    </message>
    <message>
        <source>{name}, slider</source>
        <translation>{name}，滑块</translation>
    </message>
    <message>
        <source>{name}: back to the preset</source>
        <translation>{name}：恢复为预设值</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>KV per token</source>
        <translation>每 token 的 KV</translation>
    </message>
    <message>
        <source>KV total</source>
        <translation>KV 总量</translation>
    </message>
    <message>
        <source>at overflow risk</source>
        <translation>溢出风险</translation>
    </message>
    <message>
        <source>at {share} overflow risk</source>
        <translation>{share} 溢出风险</translation>
    </message>
    <message>
        <source>engine log</source>
        <translation>引擎日志</translation>
    </message>
    <message>
        <source>engine log at {tokens}</source>
        <translation>引擎日志 {tokens}</translation>
    </message>
    <message>
        <source>steady state {length}</source>
        <translation>稳态 {length}</translation>
    </message>
    <message>
        <source>tokens per MiB</source>
        <translation>每 MiB 的 token 数</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>Discarded changes are kept for 14 days in the recovery folder.</source>
        <translation>放弃的更改会在恢复文件夹中保留 14 天。</translation>
    </message>
    <message>
        <source>Discarded changes of a preset are lost.</source>
        <translation>放弃的预设更改无法找回。</translation>
    </message>
    <message>
        <source>Export the preset</source>
        <translation>导出预设</translation>
    </message>
    <message>
        <source>Import a preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>打开计划</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Plans (*.kvw)</source>
        <translation>计划 (*.kvw)</translation>
    </message>
    <message>
        <source>Plans and records (*.kvw *.json *.docx *.md *.pdf);;All files (*)</source>
        <translation>计划和记录 (*.kvw *.json *.docx *.md *.pdf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>预设 (*.json)</translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation>预设 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save the changes to {name}?</source>
        <translation>是否保存对 {name} 的更改？</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>有未保存的更改</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>an untitled plan</source>
        <translation>未命名的计划</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>计划</translation>
    </message>
</context>
<context>
    <name>Flags</name>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>基础</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>About KV Workbench</source>
        <translation>关于 KV Workbench</translation>
    </message>
    <message>
        <source>Another scenario</source>
        <translation>另一个方案</translation>
    </message>
    <message>
        <source>Apply a cell</source>
        <translation>应用单元格</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>柱条</translation>
    </message>
    <message>
        <source>Double, halve</source>
        <translation>加倍，减半</translation>
    </message>
    <message>
        <source>Elsewhere</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Explain a part</source>
        <translation>说明某一部分</translation>
    </message>
    <message>
        <source>Explain a row of a table</source>
        <translation>说明表格的一行</translation>
    </message>
    <message>
        <source>Explorer</source>
        <translation>浏览区</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>First part, last part</source>
        <translation>第一部分，最后部分</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Licence: Apache 2.0. Qt and PySide6 are used under the LGPL: their libraries can be exchanged for your own.</source>
        <translation>许可证：Apache 2.0。Qt 与 PySide6 按 LGPL 使用：其库文件可以替换为您自己的版本。</translation>
    </message>
    <message>
        <source>Move the cursor</source>
        <translation>移动光标</translation>
    </message>
    <message>
        <source>One step, ten steps</source>
        <translation>一步，十步</translation>
    </message>
    <message>
        <source>Pick several with a click</source>
        <translation>点击选取多个</translation>
    </message>
    <message>
        <source>Plans GPU memory for serving language models.</source>
        <translation>为大语言模型推理服务规划 GPU 显存。</translation>
    </message>
    <message>
        <source>Scenario strip</source>
        <translation>方案栏</translation>
    </message>
    <message>
        <source>Show a tab</source>
        <translation>显示标签页</translation>
    </message>
    <message>
        <source>Slide</source>
        <translation>幻灯片</translation>
    </message>
    <message>
        <source>Slide between the ticks</source>
        <translation>在刻度之间滑动</translation>
    </message>
    <message>
        <source>Take over, or restore</source>
        <translation>采用，或恢复</translation>
    </message>
    <message>
        <source>To the left or right edge</source>
        <translation>到左边缘或右边缘</translation>
    </message>
    <message>
        <source>To the neighbour</source>
        <translation>到相邻方案</translation>
    </message>
    <message>
        <source>To the upper or lower edge</source>
        <translation>到上边缘或下边缘</translation>
    </message>
    <message>
        <source>Try a cell, stop trying</source>
        <translation>试用单元格，停止试用</translation>
    </message>
    <message>
        <source>Version {version}, Qt {qt}</source>
        <translation>版本 {version}，Qt {qt}</translation>
    </message>
    <message>
        <source>Walk the parts and the rows</source>
        <translation>在各部分和各行之间移动</translation>
    </message>
    <message>
        <source>Works offline: nothing is uploaded or looked up.</source>
        <translation>离线工作：不上传任何内容，也不联网查询。</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Scenario</source>
        <translation>方案(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Replace mine</source>
        <translation>替换自有的</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation>仍然保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Show difference</source>
        <translation>显示差异</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Take the new revision</source>
        <translation>采用新修订版</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>Chart copied: picture and table.</source>
        <translation>图表已复制：图片和表格。</translation>
    </message>
    <message>
        <source>Chart saved as {path}.</source>
        <translation>图表已保存为 {path}。</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭此消息</translation>
    </message>
    <message>
        <source>Comparison copied: the table as text, the charts as a picture.</source>
        <translation>对比已复制：表格为文本，图表为图片。</translation>
    </message>
    <message>
        <source>Copied: {names}.</source>
        <translation>已复制：{names}。</translation>
    </message>
    <message>
        <source>Example: edit anything, Ctrl+Z undoes.</source>
        <translation>示例：可随意编辑，Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Only files of this computer can be opened: drop plans or a preset.</source>
        <translation>只能打开本机的文件：请拖入计划或一个预设。</translation>
    </message>
    <message>
        <source>Preset imported: {reference}.</source>
        <translation>预设已导入：{reference}。</translation>
    </message>
    <message>
        <source>Preset saved: {reference}.</source>
        <translation>预设已保存：{reference}。</translation>
    </message>
    <message>
        <source>Preset written to {path}.</source>
        <translation>预设已写入 {path}。</translation>
    </message>
    <message>
        <source>Preset {name} deleted.</source>
        <translation>预设 {name} 已删除。</translation>
    </message>
    <message>
        <source>Restored. Save it to keep it.</source>
        <translation>已恢复。请保存以留存。</translation>
    </message>
    <message>
        <source>Something went wrong inside the program: {summary}</source>
        <translation>程序内部出错：{summary}</translation>
    </message>
    <message>
        <source>The answers in {name} were changed after it was written; those shown are worked out anew.</source>
        <translation>{name} 中的答案在写成之后被改动过；此处显示的是重新算出的答案。</translation>
    </message>
    <message>
        <source>The clipboard holds no scenario.</source>
        <translation>剪贴板中没有方案。</translation>
    </message>
    <message>
        <source>The disk has not answered yet; {name} is still being saved.</source>
        <translation>磁盘尚未响应；{name} 仍在保存中。</translation>
    </message>
    <message>
        <source>The old revision of {name} is still used in: {scenarios}.</source>
        <translation>仍在使用 {name} 旧修订版的方案：{scenarios}。</translation>
    </message>
    <message>
        <source>The plan in {name} is not the one that its figures were worked out for: it was changed.</source>
        <translation>{name} 中的计划不是其数字所依据的那一份：它被改动过。</translation>
    </message>
    <message>
        <source>The plan of {name} is open as a new document; the record stays as it is.</source>
        <translation>{name} 中的计划已作为新文档打开；记录本身保持不变。</translation>
    </message>
    <message>
        <source>The text of {name} was changed after it was written; the plan inside was not.</source>
        <translation>{name} 的文字在写成之后被改动过；其中的计划没有改动。</translation>
    </message>
    <message>
        <source>Unsaved work on {name} from {when} was kept when the program ended.</source>
        <translation>程序退出时保留了 {name} 的未保存内容（{when}）。</translation>
    </message>
    <message>
        <source>{engine} does not take over: {flags}. Undo brings them back.</source>
        <translation>{engine} 不沿用：{flags}。撤销即可恢复。</translation>
    </message>
    <message>
        <source>{names} can be compared with this plan: its scenarios are then added here.</source>
        <translation>{names} 可与此计划对比：其方案将添加到这里。</translation>
    </message>
    <message>
        <source>{name} cannot be a name: use up to 200 visible characters.</source>
        <translation>{name} 不能作为名称：请使用最多 200 个可见字符。</translation>
    </message>
    <message>
        <source>{name} cannot be opened: drop plans (.kvw), a record (.docx, .md, .pdf) or a preset (.json).</source>
        <translation>无法打开 {name}：请拖入计划 (.kvw)、记录 (.docx、.md、.pdf) 或预设 (.json)。</translation>
    </message>
    <message>
        <source>{name}: {what}.</source>
        <translation>{name}：{what}。</translation>
    </message>
    <message>
        <source>{name}: {what}. Other scenarios that are concerned: {count}.</source>
        <translation>{name}：{what}。另有 {count} 个方案受影响。</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>Apply: {change}</source>
        <translation>应用：{change}</translation>
    </message>
    <message>
        <source>Arrow keys walk and unfold, Ctrl+C copies a row</source>
        <translation>方向键移动和展开，Ctrl+C 复制一行</translation>
    </message>
    <message>
        <source>Assumed {number}</source>
        <translation>假设 {number}</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA 图</translation>
    </message>
    <message>
        <source>Card total</source>
        <translation>显存总量</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy row</source>
        <translation>复制此行</translation>
    </message>
    <message>
        <source>Deployment</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>Edit only this scenario</source>
        <translation>只编辑此方案</translation>
    </message>
    <message>
        <source>Edits change {count} scenarios.</source>
        <translation>编辑将更改 {count} 个方案。</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Enter goes to the field, Ctrl+C copies</source>
        <translation>Enter 转到字段，Ctrl+C 复制</translation>
    </message>
    <message>
        <source>Entries + headroom + free = card total</source>
        <translation>各条目 + 余量 + 空闲 = 显存总量</translation>
    </message>
    <message>
        <source>Entries + headroom + free = total</source>
        <translation>各条目 + 余量 + 空闲 = 总量</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Findings {number}</source>
        <translation>提示 {number}</translation>
    </message>
    <message>
        <source>Formula, inputs and sources</source>
        <translation>公式、输入与来源</translation>
    </message>
    <message>
        <source>From a start-up log</source>
        <translation>取自启动日志</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPUs in all</source>
        <translation>GPU 总数</translation>
    </message>
    <message>
        <source>KV memory</source>
        <translation>KV 显存</translation>
    </message>
    <message>
        <source>KV pool</source>
        <translation>KV 池</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>More flags</source>
        <translation>更多参数</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>No scenario</source>
        <translation>没有方案</translation>
    </message>
    <message>
        <source>No scenario: add one to begin.</source>
        <translation>没有方案：请先添加一个。</translation>
    </message>
    <message>
        <source>Not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>Not modelled: {number}</source>
        <translation>未建模：{number}</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Nothing to point out.</source>
        <translation>没有需要指出的问题。</translation>
    </message>
    <message>
        <source>One step, which undo takes back</source>
        <translation>一个步骤，可用撤销收回</translation>
    </message>
    <message>
        <source>Only this one</source>
        <translation>仅此方案</translation>
    </message>
    <message>
        <source>Open in the preset library</source>
        <translation>在预设库中打开</translation>
    </message>
    <message>
        <source>Opens the preset beside the scenario&apos;s copy</source>
        <translation>在方案的副本旁打开预设</translation>
    </message>
    <message>
        <source>PP {pp} · DP {dp} · EP {ep} · DCP {dcp} · replicas {replicas}</source>
        <translation>PP {pp} · DP {dp} · EP {ep} · DCP {dcp} · 副本 {replicas}</translation>
    </message>
    <message>
        <source>PP {pp} · DP {dp} · replicas {replicas}</source>
        <translation>PP {pp} · DP {dp} · 副本 {replicas}</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Ranks that hold different entries</source>
        <translation>条目不同的 rank</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Show the whole card</source>
        <translation>显示整张显卡</translation>
    </message>
    <message>
        <source>Show what has changed</source>
        <translation>显示有哪些变化</translation>
    </message>
    <message>
        <source>Shows or hides the fields that follow</source>
        <translation>显示或隐藏后面的字段</translation>
    </message>
    <message>
        <source>Take it</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Take the newer revision</source>
        <translation>采用较新的修订版</translation>
    </message>
    <message>
        <source>The other scenarios are no longer picked</source>
        <translation>不再选取其他方案</translation>
    </message>
    <message>
        <source>Used by: {number}</source>
        <translation>使用者：{number}</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Whole card</source>
        <translation>整张显卡</translation>
    </message>
    <message>
        <source>Why this number</source>
        <translation>数字从何而来</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>at least {low}, high end not known</source>
        <translation>至少 {low}，上限未知</translation>
    </message>
    <message>
        <source>at most {high}</source>
        <translation>最多 {high}</translation>
    </message>
    <message>
        <source>batched tokens</source>
        <translation>批处理 token</translation>
    </message>
    <message>
        <source>before start</source>
        <translation>启动前占用</translation>
    </message>
    <message>
        <source>card total less entries and headroom</source>
        <translation>显存总量减去各条目与余量</translation>
    </message>
    <message>
        <source>changed from the preset</source>
        <translation>已偏离预设</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>decides</source>
        <translation>决定结果</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>default ({value})</source>
        <translation>默认 ({value})</translation>
    </message>
    <message>
        <source>driver reports {size}</source>
        <translation>驱动报告 {size}</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>file or link of the log</source>
        <translation>日志的文件或链接</translation>
    </message>
    <message>
        <source>fit length</source>
        <translation>自适应长度</translation>
    </message>
    <message>
        <source>free after load</source>
        <translation>加载后空闲</translation>
    </message>
    <message>
        <source>free before load</source>
        <translation>加载前空闲</translation>
    </message>
    <message>
        <source>from the model</source>
        <translation>取自模型</translation>
    </message>
    <message>
        <source>from the pool</source>
        <translation>取自池</translation>
    </message>
    <message>
        <source>from utilization</source>
        <translation>由利用率得出</translation>
    </message>
    <message>
        <source>from {low} to {high}</source>
        <translation>{low} 到 {high}</translation>
    </message>
    <message>
        <source>graph size</source>
        <translation>图尺寸</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>hybrid manager</source>
        <translation>混合管理器</translation>
    </message>
    <message>
        <source>in {scenario}</source>
        <translation>属于 {scenario}</translation>
    </message>
    <message>
        <source>kept of what the entries leave</source>
        <translation>从各条目之外的部分中保留</translation>
    </message>
    <message>
        <source>kernel blocks</source>
        <translation>内核块</translation>
    </message>
    <message>
        <source>measured trace</source>
        <translation>实测轨迹</translation>
    </message>
    <message>
        <source>newer revision</source>
        <translation>较新的修订版</translation>
    </message>
    <message>
        <source>no evidence</source>
        <translation>无依据</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>无数值</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未实测</translation>
    </message>
    <message>
        <source>not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>nothing shared</source>
        <translation>无共享</translation>
    </message>
    <message>
        <source>outside the engine&apos;s budget</source>
        <translation>在引擎预算之外</translation>
    </message>
    <message>
        <source>outside torch</source>
        <translation>torch 之外</translation>
    </message>
    <message>
        <source>plain, whole blocks</source>
        <translation>基础，整块分配</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>quantile table</source>
        <translation>分位数表</translation>
    </message>
    <message>
        <source>second runner</source>
        <translation>第二代 runner</translation>
    </message>
    <message>
        <source>set by: {field}</source>
        <translation>由此字段设置：{field}</translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>source: {text}</source>
        <translation>来源：{text}</translation>
    </message>
    <message>
        <source>stage {stage}, rank {ranks}</source>
        <translation>阶段 {stage}，rank {ranks}</translation>
    </message>
    <message>
        <source>stage {stage}, ranks {ranks}</source>
        <translation>阶段 {stage}，rank {ranks}</translation>
    </message>
    <message>
        <source>utilization</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>{bytes}, {share} of the card</source>
        <translation>{bytes}，占显卡 {share}</translation>
    </message>
    <message>
        <source>{gpus}, {copies} copies of the model</source>
        <translation>{gpus}，{copies} 份模型</translation>
    </message>
    <message>
        <source>{layers} layers · {kv_heads} KV heads · head size {head_dim}</source>
        <translation>{layers} 层 · {kv_heads} 个 KV 头 · 头维度 {head_dim}</translation>
    </message>
    <message>
        <source>{name}, asked: {size}</source>
        <translation>{name}（要求 {size}）</translation>
    </message>
    <message>
        <source>{name}, outside</source>
        <translation>{name} (预算外)</translation>
    </message>
    <message>
        <source>{number} (engine)</source>
        <translation>{number} (引擎)</translation>
    </message>
    <message>
        <source>{number} (model)</source>
        <translation>{number} (模型)</translation>
    </message>
    <message>
        <source>{number} (the most)</source>
        <translation>{number} (最大)</translation>
    </message>
    <message>
        <source>{number} engine defaults</source>
        <translation>{number} 项引擎默认值</translation>
    </message>
    <message>
        <source>{number} fields</source>
        <translation>{number} 个字段</translation>
    </message>
    <message>
        <source>{number} requests</source>
        <translation>{number} 个请求</translation>
    </message>
    <message>
        <source>{size}, {band}</source>
        <translation>{size}，{band}</translation>
    </message>
    <message>
        <source>{used} of {total}</source>
        <translation>{used} / {total}</translation>
    </message>
    <message>
        <source>{value} (assumed)</source>
        <translation>{value} (假设)</translation>
    </message>
</context>
<context>
    <name>Presenter</name>
    <message>
        <source>Arrow keys change the scenario, Esc leaves</source>
        <translation>方向键切换方案，Esc 退出</translation>
    </message>
    <message>
        <source>Slide</source>
        <translation>幻灯片</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>Add a row</source>
        <translation>添加一行</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All fields</source>
        <translation>所有字段</translation>
    </message>
    <message>
        <source>All figures of row {row}</source>
        <translation>第 {row} 行的全部数值</translation>
    </message>
    <message>
        <source>All layers together</source>
        <translation>所有层合计</translation>
    </message>
    <message>
        <source>Arrow keys change the kind</source>
        <translation>方向键切换类型</translation>
    </message>
    <message>
        <source>Arrow keys choose, Enter goes to what can be done with it</source>
        <translation>方向键选择，Enter 转到可用的操作</translation>
    </message>
    <message>
        <source>Arrow keys walk, typing or Enter edits a cell, Esc gives up</source>
        <translation>方向键移动，输入或按 Enter 编辑单元格，Esc 放弃</translation>
    </message>
    <message>
        <source>Attention of all layers</source>
        <translation>所有层的注意力</translation>
    </message>
    <message>
        <source>Begins a preset of your own with the same figures</source>
        <translation>以相同数值新建一个自有预设</translation>
    </message>
    <message>
        <source>Broken</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>By name, id, other names, family or vendor</source>
        <translation>按名称、ID、别名、系列或厂商</translation>
    </message>
    <message>
        <source>Changed by me</source>
        <translation>我改过的</translation>
    </message>
    <message>
        <source>Changes your own preset</source>
        <translation>更改您的自有预设</translation>
    </message>
    <message>
        <source>Checked: {text}</source>
        <translation>已核对：{text}</translation>
    </message>
    <message>
        <source>Choose from a list.</source>
        <translation>从列表中选择。</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>对比对象</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Does the change again (Ctrl+Y)</source>
        <translation>重做更改 (Ctrl+Y)</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Empty means not known.</source>
        <translation>留空表示未知。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Forget the published figures</source>
        <translation>忘掉公布的数值</translation>
    </message>
    <message>
        <source>Forgets what is not saved</source>
        <translation>放弃未保存的内容</translation>
    </message>
    <message>
        <source>Import a preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>KV elements</source>
        <translation>KV 元素数</translation>
    </message>
    <message>
        <source>KV format</source>
        <translation>KV 格式</translation>
    </message>
    <message>
        <source>KV {size} a token at 16 bits</source>
        <translation>16 位时每 token KV {size}</translation>
    </message>
    <message>
        <source>Kind of presets</source>
        <translation>预设的类型</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Licence: {text}</source>
        <translation>许可证：{text}</translation>
    </message>
    <message>
        <source>Make my own copy</source>
        <translation>复制为自有预设</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>自有</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Move the row down</source>
        <translation>下移此行</translation>
    </message>
    <message>
        <source>Move the row up</source>
        <translation>上移此行</translation>
    </message>
    <message>
        <source>No field differs.</source>
        <translation>没有字段不同。</translation>
    </message>
    <message>
        <source>No source is given.</source>
        <translation>没有注明来源。</translation>
    </message>
    <message>
        <source>Node and price</source>
        <translation>节点与价格</translation>
    </message>
    <message>
        <source>Preset editor</source>
        <translation>预设编辑器</translation>
    </message>
    <message>
        <source>Preset library</source>
        <translation>预设库</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>公布的数值</translation>
    </message>
    <message>
        <source>Puts it into the scenario, as one undo step</source>
        <translation>套用到方案，作为一个撤销步骤</translation>
    </message>
    <message>
        <source>Redo in the editor</source>
        <translation>在编辑器中重做</translation>
    </message>
    <message>
        <source>Remove the row</source>
        <translation>去掉此行</translation>
    </message>
    <message>
        <source>Revert to built-in</source>
        <translation>恢复为内置</translation>
    </message>
    <message>
        <source>Revert to the original</source>
        <translation>恢复为原始预设</translation>
    </message>
    <message>
        <source>Row {row}, {column}: {fault}</source>
        <translation>第 {row} 行，{column}：{fault}</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation>搜索预设</translation>
    </message>
    <message>
        <source>Search: name, id, family, vendor</source>
        <translation>搜索：名称、ID、系列、厂商</translation>
    </message>
    <message>
        <source>Set of cards</source>
        <translation>显卡套件</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>结构</translation>
    </message>
    <message>
        <source>Shows both in the compare view</source>
        <translation>在对比视图中显示两者</translation>
    </message>
    <message>
        <source>Shows or hides what belongs to it</source>
        <translation>显示或隐藏所属内容</translation>
    </message>
    <message>
        <source>Shows the preset; what is not saved is kept</source>
        <translation>显示预设；保留未保存的内容</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排对比</translation>
    </message>
    <message>
        <source>Since the scenario took it</source>
        <translation>自方案采用以来</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Storage of a matrix</source>
        <translation>矩阵的存储</translation>
    </message>
    <message>
        <source>Takes a preset file into your own presets</source>
        <translation>将预设文件导入自有预设</translation>
    </message>
    <message>
        <source>Takes it out of the library; can be undone</source>
        <translation>从预设库中去掉；可以撤销</translation>
    </message>
    <message>
        <source>Takes the figures of the preset it is based on</source>
        <translation>采用其所基于的预设的数值</translation>
    </message>
    <message>
        <source>Takes the last change of this preset back (Ctrl+Z)</source>
        <translation>撤销此预设的上一次更改 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Tensors of one layer of row {row}</source>
        <translation>第 {row} 行每层的张量</translation>
    </message>
    <message>
        <source>Tensors outside the layers</source>
        <translation>层以外的张量</translation>
    </message>
    <message>
        <source>The copy is then no longer held against them</source>
        <translation>此后副本不再与其核对</translation>
    </message>
    <message>
        <source>The preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Uncertain: {text}</source>
        <translation>不确定：{text}</translation>
    </message>
    <message>
        <source>Undo in the editor</source>
        <translation>在编辑器中撤销</translation>
    </message>
    <message>
        <source>Use in the scenario</source>
        <translation>用于方案</translation>
    </message>
    <message>
        <source>Weight format</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <source>Where the figures come from</source>
        <translation>数值的来源</translation>
    </message>
    <message>
        <source>Which matrices</source>
        <translation>哪些矩阵</translation>
    </message>
    <message>
        <source>Which presets</source>
        <translation>哪些预设</translation>
    </message>
    <message>
        <source>Writes the preset as a file of its own</source>
        <translation>将预设写成单独的文件</translation>
    </message>
    <message>
        <source>Writes the preset to your own folder (Ctrl+S)</source>
        <translation>将预设写入您自己的文件夹 (Ctrl+S)</translation>
    </message>
    <message>
        <source>add a row</source>
        <translation>添加一行</translation>
    </message>
    <message>
        <source>based on {name}</source>
        <translation>基于 {name}</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>built-in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>changes not saved</source>
        <translation>有未保存的更改</translation>
    </message>
    <message>
        <source>field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>forget the published figures</source>
        <translation>忘掉公布的数值</translation>
    </message>
    <message>
        <source>in</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>in the scenario</source>
        <translation>方案中</translation>
    </message>
    <message>
        <source>mine</source>
        <translation>自有</translation>
    </message>
    <message>
        <source>move a row</source>
        <translation>移动一行</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>remove a row</source>
        <translation>去掉一行</translation>
    </message>
    <message>
        <source>revert to the original</source>
        <translation>恢复为原始预设</translation>
    </message>
    <message>
        <source>revision {number}</source>
        <translation>修订版 {number}</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>set {field} to {value}</source>
        <translation>{field}设为 {value}</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>{count} listed</source>
        <translation>列出 {count} 项</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>{count} 个参数</translation>
    </message>
    <message>
        <source>{gb} = {gib} = {full} B</source>
        <translation>{gb} = {gib} = {full} B</translation>
    </message>
    <message>
        <source>{name} copy</source>
        <translation>{name} 副本</translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>It has no file that could be read; all of it is new.</source>
        <translation>没有可读取的文件；全部都是新的。</translation>
    </message>
    <message>
        <source>It says the same as the file.</source>
        <translation>与文件内容相同。</translation>
    </message>
    <message>
        <source>Recovered</source>
        <translation>恢复的</translation>
    </message>
    <message>
        <source>Recovered work: {name}</source>
        <translation>恢复的内容：{name}</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What the recovered work has and the file has not:</source>
        <translation>恢复的内容中有而文件中没有的：</translation>
    </message>
    <message>
        <source>added</source>
        <translation>已添加</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>place in the order</source>
        <translation>排列位置</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已去掉</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>what has no field of its own</source>
        <translation>没有单独字段的内容</translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
    <message>
        <source>{one} {two}</source>
        <translation>{one}{two}</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <source>GiB counts 1024³ bytes, GB counts 10⁹ bytes</source>
        <translation>GiB 按 1024³ 字节计，GB 按 10⁹ 字节计</translation>
    </message>
    <message>
        <source>KV per token {size} / GPU</source>
        <translation>每 token KV {size} / GPU</translation>
    </message>
    <message>
        <source>No changes</source>
        <translation>没有更改</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Saved {time}</source>
        <translation>已保存 {time}</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Undo: {step}</source>
        <translation>撤销：{step}</translation>
    </message>
    <message>
        <source>Unit of sizes: {unit}</source>
        <translation>大小单位：{unit}</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>有未保存的更改</translation>
    </message>
    <message>
        <source>pool {blocks} blocks</source>
        <translation>池 {blocks} 块</translation>
    </message>
    <message>
        <source>pool {blocks} blocks · {tokens} tokens</source>
        <translation>池 {blocks} 块 · {tokens} token</translation>
    </message>
    <message>
        <source>{count} × GPU</source>
        <translation>{count} × GPU</translation>
    </message>
</context>
<context>
    <name>Steps</name>
    <message>
        <source>KV cache in {name}</source>
        <translation>KV 缓存用 {name}</translation>
    </message>
    <message>
        <source>add {name}</source>
        <translation>添加 {name}</translation>
    </message>
    <message>
        <source>apply: {name}</source>
        <translation>应用：{name}</translation>
    </message>
    <message>
        <source>baseline {name}</source>
        <translation>基线设为 {name}</translation>
    </message>
    <message>
        <source>change the length drawn</source>
        <translation>更改取用的长度</translation>
    </message>
    <message>
        <source>change the lengths</source>
        <translation>更改长度</translation>
    </message>
    <message>
        <source>change the scenario</source>
        <translation>更改方案</translation>
    </message>
    <message>
        <source>choose workload {name}</source>
        <translation>选择负载 {name}</translation>
    </message>
    <message>
        <source>choose {name}</source>
        <translation>选择 {name}</translation>
    </message>
    <message>
        <source>delete {count} scenarios</source>
        <translation>删除 {count} 个方案</translation>
    </message>
    <message>
        <source>delete {name}</source>
        <translation>删除 {name}</translation>
    </message>
    <message>
        <source>duplicate {name}</source>
        <translation>复制 {name}</translation>
    </message>
    <message>
        <source>edit the notes</source>
        <translation>编辑备注</translation>
    </message>
    <message>
        <source>engine {name}</source>
        <translation>引擎改为 {name}</translation>
    </message>
    <message>
        <source>move {name}</source>
        <translation>移动 {name}</translation>
    </message>
    <message>
        <source>paste {count} scenarios</source>
        <translation>粘贴 {count} 个方案</translation>
    </message>
    <message>
        <source>paste {name}</source>
        <translation>粘贴 {name}</translation>
    </message>
    <message>
        <source>rename to {name}</source>
        <translation>重命名为 {name}</translation>
    </message>
    <message>
        <source>reset {field}</source>
        <translation>重置{field}</translation>
    </message>
    <message>
        <source>reset {flag}</source>
        <translation>重置{flag}</translation>
    </message>
    <message>
        <source>set {field} to {value}</source>
        <translation>{field}设为 {value}</translation>
    </message>
    <message>
        <source>set {flag} to {value}</source>
        <translation>{flag}设为 {value}</translation>
    </message>
    <message>
        <source>set {x} to {x_value} and {y} to {y_value}</source>
        <translation>{x}设为 {x_value}，{y}设为 {y_value}</translation>
    </message>
    <message>
        <source>take the new revision of {name}</source>
        <translation>采用 {name} 的新修订版</translation>
    </message>
    <message>
        <source>weights in {name}</source>
        <translation>权重用 {name}</translation>
    </message>
    <message>
        <source>{step} in {count} scenarios</source>
        <translation>{step} ({count} 个方案)</translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message>
        <source>Add a scenario</source>
        <translation>添加方案</translation>
    </message>
    <message>
        <source>Adds one of defaults</source>
        <translation>添加一个采用默认值的方案</translation>
    </message>
    <message>
        <source>F2 renames, arrow keys move on, Shift with them picks several</source>
        <translation>F2 重命名，方向键移动，加 Shift 选取多个</translation>
    </message>
    <message>
        <source>More scenarios</source>
        <translation>更多方案</translation>
    </message>
    <message>
        <source>Name of the scenario</source>
        <translation>方案名称</translation>
    </message>
    <message>
        <source>Picked: edits change it too.</source>
        <translation>已选取：编辑也会更改它。</translation>
    </message>
    <message>
        <source>Scenario {name}, baseline: {verdict}</source>
        <translation>方案 {name}，基线：{verdict}</translation>
    </message>
    <message>
        <source>Scenario {name}: {verdict}</source>
        <translation>方案 {name}：{verdict}</translation>
    </message>
    <message>
        <source>Scenario {number}</source>
        <translation>方案 {number}</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Scenarios to the left</source>
        <translation>左侧的方案</translation>
    </message>
    <message>
        <source>{name} copy</source>
        <translation>{name} 副本</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>({few} to {many})</source>
        <translation>({few} 到 {many})</translation>
    </message>
    <message>
        <source>No scenario: add one with +</source>
        <translation>没有方案：用 + 添加一个</translation>
    </message>
    <message>
        <source>Not certain: beside the given pool of {pool} per GPU the fitted figures may take more than the card has.</source>
        <translation>尚不确定：在每卡给定的 {pool} 池之外，按拟合数值所需可能超出显卡容量。</translation>
    </message>
    <message>
        <source>Not certain: the fitted figures leave a pool of {low} to {high} per GPU, {few} to {many} requests, and the verdict differs between the two.</source>
        <translation>尚不确定：按拟合数值，每卡的池在 {low} 到 {high} 之间，可容纳 {few} 到 {many} 个请求，两端的结论不同。</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>可尝试</translation>
    </message>
    <message>
        <source>Try: {change}</source>
        <translation>可选：{change}</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>{change} with headroom</source>
        <translation>{change}，保留余量</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>*: the release that brought this rule is assumed.</source>
        <translation>*：引入此规则的版本为假设。</translation>
    </message>
    <message>
        <source>1,000 tokens take {thousand}, 1k (1,024) {k}</source>
        <translation>1,000 个 token 占 {thousand}，1k (1,024) 占 {k}</translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation>16 位</translation>
    </message>
    <message>
        <source>A chunked group keeps the blocks of its chunk only.</source>
        <translation>分块组只保留其分块内的块。</translation>
    </message>
    <message>
        <source>A recurrent group keeps its state, however long a request.</source>
        <translation>循环组只保留其状态，与请求长度无关。</translation>
    </message>
    <message>
        <source>A request of {tokens} tokens takes {blocks} blocks in all. Tokens and page are those of one block in one layer. Filled: the part of a block that the group&apos;s pages use; the rest is padding.</source>
        <translation>一个 {tokens} token 的请求共占 {blocks} 块。token 数和页指一层中的一块。“填充率”指一块中被该组的页用到的部分，其余为填充。</translation>
    </message>
    <message>
        <source>A sliding group keeps the blocks of its window only.</source>
        <translation>滑动窗口组只保留其窗口内的块。</translation>
    </message>
    <message>
        <source>Add the others as scenarios</source>
        <translation>将其他引擎添加为方案</translation>
    </message>
    <message>
        <source>Adds a scenario for each other engine, to be compared</source>
        <translation>为其他每个引擎添加一个方案，以便比较</translation>
    </message>
    <message>
        <source>Admission</source>
        <translation>准入</translation>
    </message>
    <message>
        <source>Admitted together</source>
        <translation>可同时准入</translation>
    </message>
    <message>
        <source>All requests have one length, so nothing overflows by chance: at risk is the number that fits.</source>
        <translation>所有请求长度相同，不会偶然溢出：风险容量就是放得下的数量。</translation>
    </message>
    <message>
        <source>Arrow keys or 1 to 9 change the tab</source>
        <translation>方向键或 1 到 9 切换标签页</translation>
    </message>
    <message>
        <source>Arrow keys walk, Ctrl+C copies cells, Alt+Enter: why this number</source>
        <translation>方向键移动，Ctrl+C 复制单元格，Alt+Enter：数字从何而来</translation>
    </message>
    <message>
        <source>Arrow keys walk, Enter goes to the field, Ctrl+C copies cells</source>
        <translation>方向键移动，Enter 转到字段，Ctrl+C 复制单元格</translation>
    </message>
    <message>
        <source>As after the prompt, while the output is not known.</source>
        <translation>与提示词之后相同，因为输出长度未知。</translation>
    </message>
    <message>
        <source>As many as after the prompt.</source>
        <translation>与提示词之后一样多。</translation>
    </message>
    <message>
        <source>Assumed: {assumed}. Fitted: {fitted}. Everything else is given, measured or exact arithmetic. Enter or a double click goes to the field that sets a value.</source>
        <translation>假设：{assumed}。拟合：{fitted}。其余均为给定、实测或精确计算。按 Enter 或双击转到设置该值的字段。</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Assumptions {number}</source>
        <translation>假设 {number}</translation>
    </message>
    <message>
        <source>At its end a request holds no more than after its prompt.</source>
        <translation>请求结束时占用的块不多于提示词之后。</translation>
    </message>
    <message>
        <source>At risk</source>
        <translation>风险容量</translation>
    </message>
    <message>
        <source>At risk lets lengths vary: long requests are rarely together, so it lies between the mean and the longest.</source>
        <translation>风险容量允许长度变化：长请求很少同时出现，因此它介于平均长度与最长长度两种情况之间。</translation>
    </message>
    <message>
        <source>At some step {more} more than had to be free.</source>
        <translation>某一步比准入所需的空闲块多 {more} 块。</translation>
    </message>
    <message>
        <source>Block size</source>
        <translation>块大小</translation>
    </message>
    <message>
        <source>Block table</source>
        <translation>块表</translation>
    </message>
    <message>
        <source>Block table per GPU</source>
        <translation>每卡的块表</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Blocks of the pool</source>
        <translation>池中的块</translation>
    </message>
    <message>
        <source>Blocks that fit</source>
        <translation>放得下的块数</translation>
    </message>
    <message>
        <source>Both releases are {release}: choose another one.</source>
        <translation>两个版本都是 {release}：请另选一个。</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes per block</source>
        <translation>每块字节数</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>Card total</source>
        <translation>显存总量</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Change one input</source>
        <translation>改变一个输入</translation>
    </message>
    <message>
        <source>Choose an entry to read its formula and source.</source>
        <translation>选择一个条目以查看其公式与来源。</translation>
    </message>
    <message>
        <source>Click a flag, or press Enter, to set it.</source>
        <translation>点击参数或按 Enter 进行设置。</translation>
    </message>
    <message>
        <source>Computed first, in steps of the batched tokens.</source>
        <translation>最先计算，按批处理 token 数分步进行。</translation>
    </message>
    <message>
        <source>Contiguous or paged</source>
        <translation>连续分配或分页</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the whole table</source>
        <translation>复制整个表格</translation>
    </message>
    <message>
        <source>Decides</source>
        <translation>决定结果</translation>
    </message>
    <message>
        <source>Decoded one token a step; the cache grows with it.</source>
        <translation>每步解码一个 token，缓存随之增长。</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Defaults that change</source>
        <translation>有变化的默认值</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>空置</translation>
    </message>
    <message>
        <source>Empty bytes</source>
        <translation>空置字节</translation>
    </message>
    <message>
        <source>Empty share</source>
        <translation>空置比例</translation>
    </message>
    <message>
        <source>Empty slots</source>
        <translation>空槽位</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>引擎日志</translation>
    </message>
    <message>
        <source>Engine log and steady state count requests of the same length.</source>
        <translation>引擎日志与稳态按相同长度的请求计数。</translation>
    </message>
    <message>
        <source>Engine to change to</source>
        <translation>要切换到的引擎</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Engines whose release is not the scenario&apos;s own are shown with the newest one that was read.</source>
        <translation>并非方案自身版本的引擎，均以已研读的最新版本显示。</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Equal prompts before the next one has to wait.</source>
        <translation>在下一个请求需要等待之前，可接纳的相同提示词数量。</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Explorer</source>
        <translation>浏览区</translation>
    </message>
    <message>
        <source>Explorer tabs</source>
        <translation>浏览标签页</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Filled</source>
        <translation>填充率</translation>
    </message>
    <message>
        <source>Flag</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Free to be admitted</source>
        <translation>准入所需空闲</translation>
    </message>
    <message>
        <source>From</source>
        <translation>原值</translation>
    </message>
    <message>
        <source>Given to no request; of {pool} in the pool.</source>
        <translation>不分配给任何请求；池中共 {pool} 块。</translation>
    </message>
    <message>
        <source>Gives the scenario this engine; one step to undo</source>
        <translation>让方案使用该引擎；撤销一步即可</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Groups of layers</source>
        <translation>层的分组</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Held after the prompt</source>
        <translation>提示词之后占用</translation>
    </message>
    <message>
        <source>Held at most</source>
        <translation>最多占用</translation>
    </message>
    <message>
        <source>Held at the end</source>
        <translation>结束时占用</translation>
    </message>
    <message>
        <source>How much of a request is output is not known: growth while decoding is left out. Choose a workload with outputs to see it.</source>
        <translation>不知道请求中有多少是输出：未计入解码期间的增长。选择带输出长度的负载即可看到。</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>在途</translation>
    </message>
    <message>
        <source>In the format</source>
        <translation>采用该格式</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Input or entry</source>
        <translation>输入或条目</translation>
    </message>
    <message>
        <source>It prints {tokens} tokens.</source>
        <translation>日志显示 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>Its ledger does not change.</source>
        <translation>其账本没有变化。</translation>
    </message>
    <message>
        <source>KV bytes</source>
        <translation>KV 字节</translation>
    </message>
    <message>
        <source>KV per request</source>
        <translation>每请求 KV</translation>
    </message>
    <message>
        <source>KV per token</source>
        <translation>每 token KV</translation>
    </message>
    <message>
        <source>KV per token {size} ({bytes} B)</source>
        <translation>每 token KV {size} ({bytes} B)</translation>
    </message>
    <message>
        <source>Kept free when a request joins others.</source>
        <translation>有请求加入时须保持空闲。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>账本</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Longest request</source>
        <translation>最长请求</translation>
    </message>
    <message>
        <source>Low to high</source>
        <translation>下限至上限</translation>
    </message>
    <message>
        <source>Memory per GPU, {unit}</source>
        <translation>每卡显存，{unit}</translation>
    </message>
    <message>
        <source>More tabs</source>
        <translation>更多标签页</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>Most requests</source>
        <translation>最多请求数</translation>
    </message>
    <message>
        <source>Most requests at which the pool overflows with a probability of at most {share}.</source>
        <translation>池的溢出概率不超过 {share} 时的最大请求数。</translation>
    </message>
    <message>
        <source>Most requests at which the pool overflows with at most the stated probability; not worked out for lengths that vary.</source>
        <translation>池的溢出概率不超过给定值时的最大请求数；长度有变化时未作计算。</translation>
    </message>
    <message>
        <source>No pool: the KV cache of this model is not planned here.</source>
        <translation>没有池：此处不规划该模型的 KV 缓存。</translation>
    </message>
    <message>
        <source>No pool: the KV cache of this scenario is not planned.</source>
        <translation>没有池：未规划此方案的 KV 缓存。</translation>
    </message>
    <message>
        <source>Nobody keeps the {growth} blocks that a request takes while it decodes: where none is free, one that was admitted starts over.</source>
        <translation>请求解码时还会占用 {growth} 块，并没有为此预留：一旦用尽，某个已准入的请求就要从头再来。</translation>
    </message>
    <message>
        <source>Not stated by the workload: the least there can be.</source>
        <translation>负载未说明：取可能的最小值。</translation>
    </message>
    <message>
        <source>Not taken over</source>
        <translation>未沿用</translation>
    </message>
    <message>
        <source>Nothing is held: there is no pool.</source>
        <translation>没有容纳任何请求：没有池。</translation>
    </message>
    <message>
        <source>Nothing overflows: there is no pool.</source>
        <translation>不会溢出：没有池。</translation>
    </message>
    <message>
        <source>Nothing to compare: no requests are held.</source>
        <translation>无可比较：没有容纳任何请求。</translation>
    </message>
    <message>
        <source>Of it scales</source>
        <translation>其中缩放系数</translation>
    </message>
    <message>
        <source>Of the budget the engine charges {size} for it; what is reserved beyond the P99 request holds nobody.</source>
        <translation>引擎为此从预算中计入 {size}；超出 P99 请求的预留不服务任何请求。</translation>
    </message>
    <message>
        <source>One block holds {tokens} tokens, whatever size is asked for: the engine makes it as large as the page of its other layers.</source>
        <translation>无论要求多大，一块都容纳 {tokens} 个 token：引擎使其与其他层的页一样大。</translation>
    </message>
    <message>
        <source>One block is {size}: one page for each layer of one group, not of the whole model. {groups} groups ({kinds}) take their blocks from one pool, so each block is as large as the largest group&apos;s.</source>
        <translation>一块为 {size}：是一个组中每层一页，而不是整个模型。{groups} 个组（{kinds}）从同一个池取块，因此每块都与最大的组的块一样大。</translation>
    </message>
    <message>
        <source>One block is {size}: {tokens} tokens in each of {layers} layers on a GPU.</source>
        <translation>一块为 {size}：一张 GPU 上 {layers} 层，每层 {tokens} 个 token。</translation>
    </message>
    <message>
        <source>One request of each length</source>
        <translation>各长度的单个请求</translation>
    </message>
    <message>
        <source>Opens a menu of the tabs that have no room</source>
        <translation>打开放不下的标签页的菜单</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>P99 of the workload</source>
        <translation>负载的 P99</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Paged holds</source>
        <translation>分页可容纳</translation>
    </message>
    <message>
        <source>Per request</source>
        <translation>每请求</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>KV 池</translation>
    </message>
    <message>
        <source>Pool and capacity</source>
        <translation>池与容量</translation>
    </message>
    <message>
        <source>Pool per GPU</source>
        <translation>每卡的池</translation>
    </message>
    <message>
        <source>Pool per GPU {size}</source>
        <translation>每卡的池 {size}</translation>
    </message>
    <message>
        <source>Pool tokens</source>
        <translation>池 token 数</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Ranks that hold different entries; the worst decides</source>
        <translation>条目不同的 rank；由最差者决定结果</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Release to compare from</source>
        <translation>对比的起始版本</translation>
    </message>
    <message>
        <source>Release to compare with</source>
        <translation>对比的目标版本</translation>
    </message>
    <message>
        <source>Requests held</source>
        <translation>可容纳请求</translation>
    </message>
    <message>
        <source>Requests of {tokens} tokens ({length}) held at once by the whole scenario, in whole blocks, tokens in flight included.</source>
        <translation>整个方案同时容纳的 {tokens} token 请求数（{length}），按整块计，含在途 token。</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Resolved defaults</source>
        <translation>解析后的默认值</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Rules that differ</source>
        <translation>不同的规则</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展</translation>
    </message>
    <message>
        <source>Scheduled and not yet computed, at most.</source>
        <translation>已调度而尚未计算的最大数量。</translation>
    </message>
    <message>
        <source>Sequences held</source>
        <translation>可容纳序列</translation>
    </message>
    <message>
        <source>Sequences if reserved at once</source>
        <translation>一次性预留时的序列数</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>设置字段</translation>
    </message>
    <message>
        <source>Small blocks make long block tables, large ones leave more of the last block empty. What is empty is the mean of a request, the block table that of one GPU.</source>
        <translation>块小则块表长，块大则最后一块空置多。空置为每个请求的平均值，块表为一张 GPU 的大小。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Steady state</source>
        <translation>稳态</translation>
    </message>
    <message>
        <source>Tabs to the left</source>
        <translation>左侧的标签页</translation>
    </message>
    <message>
        <source>The KV cache grows in proportion to layers, KV heads, head size, context and concurrency. Where a row says otherwise, it says why.</source>
        <translation>KV 缓存与层数、KV 头数、头维度、上下文和并发成正比。不成比例的行会说明原因。</translation>
    </message>
    <message>
        <source>The engine log fills the pool with {length} requests, steady state with {tokens} requests of the workload.</source>
        <translation>引擎日志用 {length} 的请求填满池，稳态则用负载的 {tokens} 请求。</translation>
    </message>
    <message>
        <source>The engine plans {blocks} blocks on each GPU and withholds {withheld}: {usable} for requests.</source>
        <translation>引擎在每卡上规划 {blocks} 块，保留 {withheld} 块：{usable} 块供请求使用。</translation>
    </message>
    <message>
        <source>The engine prints no concurrency: it does not start.</source>
        <translation>引擎不输出并发数：无法启动。</translation>
    </message>
    <message>
        <source>The engine runs at most {limit} requests at once, whatever the pool holds.</source>
        <translation>无论池有多大，引擎最多同时运行 {limit} 个请求。</translation>
    </message>
    <message>
        <source>The ledger is drawn with {length}. Requests held: in the whole scenario, if all were of that length; budget on P95 or P99, not on the mean.</source>
        <translation>账本按 {length} 长度绘制。可容纳请求：假设所有请求都是该长度时整个方案的数量；应按 P95 或 P99 规划，而不是平均值。</translation>
    </message>
    <message>
        <source>The log is of one copy of the model, the other figures of all {copies}.</source>
        <translation>日志只针对一份模型，其他数值针对全部 {copies} 份。</translation>
    </message>
    <message>
        <source>The log&apos;s figure is a fraction; requests held are whole, each in whole blocks.</source>
        <translation>日志中的数值是小数；容纳的请求是整数，各占整块。</translation>
    </message>
    <message>
        <source>The most at any step of prompt and output.</source>
        <translation>提示词与输出任意一步中的最大值。</translation>
    </message>
    <message>
        <source>The plain arithmetic has no releases: choose an engine.</source>
        <translation>基础算法没有版本：请选择一个引擎。</translation>
    </message>
    <message>
        <source>The prompt waits until so many are free.</source>
        <translation>空闲块达到此数之前，提示词须等待。</translation>
    </message>
    <message>
        <source>The ratio counts sequences that the same memory holds. Throughput is not the same thing: it also depends on batching, bandwidth and scheduling.</source>
        <translation>该比值按同样显存容纳的序列数计算。吞吐是另一回事：还取决于批处理、带宽和调度。</translation>
    </message>
    <message>
        <source>The rule that makes the difference</source>
        <translation>造成差别的规则</translation>
    </message>
    <message>
        <source>The same question under each engine</source>
        <translation>同一问题在各引擎下的答案</translation>
    </message>
    <message>
        <source>The same scenario under {engine} {one} and {two}.</source>
        <translation>同一方案在 {engine} {one} 与 {two} 下的结果。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>新值</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token 数</translation>
    </message>
    <message>
        <source>Tokens of a request</source>
        <translation>请求的 token 数</translation>
    </message>
    <message>
        <source>Upgrade</source>
        <translation>升级</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Use {engine}</source>
        <translation>使用 {engine}</translation>
    </message>
    <message>
        <source>Use {release}</source>
        <translation>使用 {release}</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Watermark</source>
        <translation>水位线</translation>
    </message>
    <message>
        <source>What an admitted request takes from the pool.</source>
        <translation>已准入的请求从池中占用的块。</translation>
    </message>
    <message>
        <source>What it says</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>What one engine prints at start: requests of its longest length, {tokens} tokens, that the whole pool would hold.</source>
        <translation>单个引擎启动时输出的数值：整个池可容纳多少个其最长长度（{tokens} token）的请求。</translation>
    </message>
    <message>
        <source>What the KV format saves</source>
        <translation>KV 格式的节省</translation>
    </message>
    <message>
        <source>What the longest allowed request costs</source>
        <translation>允许的最长请求的代价</translation>
    </message>
    <message>
        <source>Why they differ here</source>
        <translation>此处为何不同</translation>
    </message>
    <message>
        <source>With the headroom kept: {band}.</source>
        <translation>保留余量时：{band}。</translation>
    </message>
    <message>
        <source>Withheld</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>as the engine allows</source>
        <translation>引擎允许的长度</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>bytes per block</source>
        <translation>每块字节数</translation>
    </message>
    <message>
        <source>chunked attention</source>
        <translation>分块注意力</translation>
    </message>
    <message>
        <source>contiguous, {tokens}</source>
        <translation>连续，{tokens}</translation>
    </message>
    <message>
        <source>cross attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>default of the engine</source>
        <translation>引擎默认值</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>engine log</source>
        <translation>引擎日志</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>full attention</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>indexer keys</source>
        <translation>索引器键</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>预算内</translation>
    </message>
    <message>
        <source>latent attention</source>
        <translation>潜在注意力</translation>
    </message>
    <message>
        <source>most requests</source>
        <translation>最大请求数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>outside</source>
        <translation>预算外</translation>
    </message>
    <message>
        <source>paged, whole blocks</source>
        <translation>分页，整块</translation>
    </message>
    <message>
        <source>pool per GPU</source>
        <translation>每卡的池</translation>
    </message>
    <message>
        <source>recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>tokens per block</source>
        <translation>每块 token 数</translation>
    </message>
    <message>
        <source>tokens printed</source>
        <translation>日志 token 数</translation>
    </message>
    <message>
        <source>typed</source>
        <translation>手动输入</translation>
    </message>
    <message>
        <source>{blocks} blocks of {tokens} tokens</source>
        <translation>{blocks} 块，每块 {tokens} 个 token</translation>
    </message>
    <message>
        <source>{fewer} fewer: blocks behind a window are let go.</source>
        <translation>少 {fewer} 块：窗口之后的块被释放。</translation>
    </message>
    <message>
        <source>{format}: whole blocks and scales are counted; speed is not modelled.</source>
        <translation>{format}：已计整块与缩放系数；未对速度建模。</translation>
    </message>
    <message>
        <source>{growth} more than after the prompt.</source>
        <translation>比提示词之后多 {growth} 块。</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} 到 {high}</translation>
    </message>
    <message>
        <source>{most} requests</source>
        <translation>{most} 个请求</translation>
    </message>
    <message>
        <source>{most} requests, {low} to {high}</source>
        <translation>{most} 个请求，{low} 到 {high}</translation>
    </message>
    <message>
        <source>{name} = {formula} · {source}</source>
        <translation>{name} = {formula} · {source}</translation>
    </message>
    <message>
        <source>{number} blocks</source>
        <translation>{number} 块</translation>
    </message>
    <message>
        <source>{number} classes of card</source>
        <translation>{number} 类显卡</translation>
    </message>
    <message>
        <source>{number} requests</source>
        <translation>{number} 个请求</translation>
    </message>
    <message>
        <source>{number} tokens</source>
        <translation>{number} 个 token</translation>
    </message>
    <message>
        <source>{number} tokens per MiB</source>
        <translation>每 MiB {number} 个 token</translation>
    </message>
    <message>
        <source>{release} (rules of {rules})</source>
        <translation>{release} (按 {rules} 的规则)</translation>
    </message>
    <message>
        <source>{share} of what the requests hold is empty slots or padding.</source>
        <translation>请求占用的部分中，{share} 是空槽位或填充。</translation>
    </message>
    <message>
        <source>{size}, in use</source>
        <translation>{size}，当前</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个 token</translation>
    </message>
    <message>
        <source>×{times} as many</source>
        <translation>{times} 倍</translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message>
        <source>Alt+Enter: why this number</source>
        <translation>Alt+Enter：数字从何而来</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Ctrl+click: why this number</source>
        <translation>Ctrl+点击：数字从何而来</translation>
    </message>
    <message>
        <source>Why this number</source>
        <translation>数字从何而来</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Arrow keys change the panel.</source>
        <translation>方向键切换面板。</translation>
    </message>
    <message>
        <source>English or Chinese</source>
        <translation>英文或中文</translation>
    </message>
    <message>
        <source>Light, dark or high contrast</source>
        <translation>浅色、深色或高对比度</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Shows the next theme at once</source>
        <translation>立即切换到下一个主题</translation>
    </message>
    <message>
        <source>Switch the language</source>
        <translation>切换语言</translation>
    </message>
    <message>
        <source>Switches the language at once</source>
        <translation>立即切换语言</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Why this number</source>
        <translation>数字从何而来</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>0.6 to 1.4 GiB at 512 requests</source>
        <translation>512 个请求时 0.6 至 1.4 GiB</translation>
    </message>
    <message>
        <source>1 input differs from {name}</source>
        <translation>与 {name} 有 1 项输入不同</translation>
    </message>
    <message>
        <source>1 of {count} scenarios fits</source>
        <translation>{count} 个方案中 1 个放得下</translation>
    </message>
    <message>
        <source>16 hexadecimal digits</source>
        <translation>16 位十六进制数字</translation>
    </message>
    <message>
        <source>16 or the chunk</source>
        <translation>16 或分块大小</translation>
    </message>
    <message>
        <source>2.5 and 3.4 GiB at 160 requests</source>
        <translation>160 个请求时 2.5 与 3.4 GiB</translation>
    </message>
    <message>
        <source>4 × 80 GiB card</source>
        <translation>4 × 80 GiB 卡</translation>
    </message>
    <message>
        <source>64 or 128 by kernel</source>
        <translation>按内核取 64 或 128</translation>
    </message>
    <message>
        <source>64 with FlashMLA</source>
        <translation>使用 FlashMLA 时为 64</translation>
    </message>
    <message>
        <source>8-bit copies</source>
        <translation>8 位副本</translation>
    </message>
    <message>
        <source>80 GiB card</source>
        <translation>80 GiB 卡</translation>
    </message>
    <message>
        <source>95 % are at most</source>
        <translation>95 % 不超过</translation>
    </message>
    <message>
        <source>95 % of the requests are at most this long.</source>
        <translation>95 % 的请求不超过此长度。</translation>
    </message>
    <message>
        <source>99 % of the requests are at most this long.</source>
        <translation>99 % 的请求不超过此长度。</translation>
    </message>
    <message>
        <source>A KV pool of {given_bytes} beside {beside_bytes} of weights, runtime and activations is more than the {total_bytes} of the card: the engine runs out of memory at start. Give less, or leave the size to the engine.</source>
        <translation>{given_bytes} 的 KV 池加上 {beside_bytes} 的权重、运行时和激活超过显卡的 {total_bytes}：引擎启动时会显存不足。请减小，或由引擎决定大小。</translation>
    </message>
    <message>
        <source>A KV pool of {given_bytes} holds no block beside the one withheld: a block takes {block_bytes}. Give more, or leave the size to the engine.</source>
        <translation>{given_bytes} 的 KV 池除保留块外放不下一块：每块占 {block_bytes}。请加大，或由引擎决定大小。</translation>
    </message>
    <message>
        <source>A cache of {format} is refused beside weights in {weights}: choose fp8.</source>
        <translation>权重为 {weights} 时不接受 {format} 的缓存：请选 fp8。</translation>
    </message>
    <message>
        <source>A fraction of what is free after the weights alone is the pool; activations have to fit in the rest.</source>
        <translation>仅加载权重后空闲显存的一定比例即为 KV 池；激活必须放进其余部分。</translation>
    </message>
    <message>
        <source>A fraction of what weights and activations leave free is the pool; the rest stays free. A request starts only when its longest answer has a place.</source>
        <translation>权重和激活之后空闲显存的一定比例即为 KV 池，其余保持空闲。只有最长的回答也放得下时，请求才会开始。</translation>
    </message>
    <message>
        <source>A latent cache takes one type for keys and values, not {key} and {value}.</source>
        <translation>潜变量缓存的键和值只能用同一种类型，不能是 {key} 和 {value}。</translation>
    </message>
    <message>
        <source>A layer can be turned into one of these: {accepted}.</source>
        <translation>一层可以改为其中之一：{accepted}。</translation>
    </message>
    <message>
        <source>A newer version wrote this plan (schema {version}, this program knows {limit}): it is open for reading only.</source>
        <translation>此计划由更新的版本写入（schema {version}，本程序支持到 {limit}）：只能以只读方式打开。</translation>
    </message>
    <message>
        <source>A picture of {width} × {height} points is too large; at most {limit} points are drawn.</source>
        <translation>{width} × {height} 点的图片太大；最多绘制 {limit} 点。</translation>
    </message>
    <message>
        <source>A plan holds at most {limit} scenarios.</source>
        <translation>一个计划最多包含 {limit} 个方案。</translation>
    </message>
    <message>
        <source>A pool of {blocks} blocks takes {asked_bytes}, {pool_bytes} are left for it: the engine runs out of memory at start. Give fewer blocks, or leave their number to the engine.</source>
        <translation>{blocks} 块占 {asked_bytes}，而可用 {pool_bytes}：引擎启动时会显存不足。请减少块数，或由引擎决定块数。</translation>
    </message>
    <message>
        <source>A prefill chunk of {chunk_tokens} is no multiple of a page of {page_tokens}.</source>
        <translation>预填充块 {chunk_tokens} 不是页大小 {page_tokens} 的整数倍。</translation>
    </message>
    <message>
        <source>A prompt is admitted once it finds {blocks} blocks free; as many as {together} of them are admitted together, the next one waits in the queue.</source>
        <translation>空出 {blocks} 个块后才接纳一个提示词；可同时接纳 {together} 个这样的提示词，下一个在队列中等待。</translation>
    </message>
    <message>
        <source>A request of {context_tokens} exceeds the {limit_tokens} of a slot. Raise the context, or take fewer slots.</source>
        <translation>请求长 {context_tokens}，超过一个槽的 {limit_tokens}。请加大上下文，或减少槽数。</translation>
    </message>
    <message>
        <source>A request takes no further block while it decodes, so that none is preempted.</source>
        <translation>请求在解码时不再占用新的块，因此不会有请求被抢占。</translation>
    </message>
    <message>
        <source>A request takes {blocks} more blocks while it decodes, which nobody keeps for it: when none is free, the engine preempts a request.</source>
        <translation>请求在解码时还要占用 {blocks} 个块，这些块并未预留：没有空闲块时，引擎会抢占一个请求。</translation>
    </message>
    <message>
        <source>A share of the card&apos;s total less weights, activations, what runs beside them, and where the release charges it an estimate of the graphs, is the pool.</source>
        <translation>整卡显存的一定比例，减去权重、激活、其他运行时占用，以及该版本计入的 CUDA 图估算，即为 KV 池。</translation>
    </message>
    <message>
        <source>A shared prefix of {prefix_tokens} tokens fills no block of {block_tokens}: nothing is shared.</source>
        <translation>{prefix_tokens} 个 token 的共享前缀填不满 {block_tokens} 的一块：没有共享。</translation>
    </message>
    <message>
        <source>A step of {batch_tokens} tokens cannot serve {sequences} sequences: raise max batched tokens or lower max sequences.</source>
        <translation>一步 {batch_tokens} 个 token 无法服务 {sequences} 个序列：请提高最大批处理 token 数或降低最大序列数。</translation>
    </message>
    <message>
        <source>A waterfall leads from the baseline to another scenario: choose that one.</source>
        <translation>瀑布图从基线通向另一方案：请选择那个方案。</translation>
    </message>
    <message>
        <source>A window pool of {pool_tokens} admits no request: it has to hold more than {needed_tokens}. Raise the window pool ratio or the static fraction.</source>
        <translation>{pool_tokens} 的窗口池容不下任何请求：须大于 {needed_tokens}。请提高窗口池比例或静态份额。</translation>
    </message>
    <message>
        <source>AWQ 4 bit, group 128 (asymmetric)</source>
        <translation>AWQ 4 位，每组 128（非对称）</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Activations: compute buffer</source>
        <translation>激活：计算缓冲</translation>
    </message>
    <message>
        <source>Activations: reserve</source>
        <translation>激活：预留</translation>
    </message>
    <message>
        <source>All hold {requests}</source>
        <translation>全部都能容纳 {requests}</translation>
    </message>
    <message>
        <source>All take {used_bytes} of a card</source>
        <translation>每卡占用均为 {used_bytes}</translation>
    </message>
    <message>
        <source>All {count} scenarios fit</source>
        <translation>{count} 个方案全部放得下</translation>
    </message>
    <message>
        <source>Another program is saving in the folder of {path}, which is as it was; try again.</source>
        <translation>另一程序正在 {path} 所在的文件夹中保存，该文件保持原样；请重试。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Answers searched for a request at once.</source>
        <translation>每个请求同时搜索的回答数。</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>Assumed values: {count}</source>
        <translation>假设值：{count}</translation>
    </message>
    <message>
        <source>Assumed values: {count}, in {scenarios} of {all} scenarios</source>
        <translation>假设值：{count}，涉及 {all} 个方案中的 {scenarios} 个</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>At most {limit} characters are read here: type {accepted}.</source>
        <translation>此处最多读取 {limit} 个字符：请输入{accepted}。</translation>
    </message>
    <message>
        <source>At most {value_tokens} tokens in one step.</source>
        <translation>每步最多 {value_tokens} 个 token。</translation>
    </message>
    <message>
        <source>At most {value} requests at once.</source>
        <translation>最多同时 {value} 个请求。</translation>
    </message>
    <message>
        <source>At risk, headroom used</source>
        <translation>风险容量，用上余量</translation>
    </message>
    <message>
        <source>Attention layers of the draft model.</source>
        <translation>草稿模型的注意力层数。</translation>
    </message>
    <message>
        <source>Azure conversations, 2023</source>
        <translation>Azure 对话，2023</translation>
    </message>
    <message>
        <source>BF16</source>
        <translation>BF16</translation>
    </message>
    <message>
        <source>Baseline: {name}</source>
        <translation>基线：{name}</translation>
    </message>
    <message>
        <source>Beside a given pool of {pool_bytes} the fitted figures may take more than the card has: the engine may run out of memory at start.</source>
        <translation>在给定的 {pool_bytes} 池之外，按拟合数值所需可能超出显卡容量：引擎启动时可能显存不足。</translation>
    </message>
    <message>
        <source>Block sizes that the attention kernel takes, such as 16, 32; empty takes the backend&apos;s own for the card.</source>
        <translation>注意力内核支持的块大小，例如 16, 32；留空则取该显卡后端自己的值。</translation>
    </message>
    <message>
        <source>Blocks of the KV pool on each rank, whatever is free.</source>
        <translation>每个 rank 上 KV 池的块数，与空闲显存无关。</translation>
    </message>
    <message>
        <source>Blocks of the pool</source>
        <translation>缓存池的块数</translation>
    </message>
    <message>
        <source>Blocks of {format} do not divide a head of {width} elements: choose f16.</source>
        <translation>{format} 的块不能整除 {width} 个元素的头：请选 f16。</translation>
    </message>
    <message>
        <source>Branches of the draft in each step.</source>
        <translation>草稿每一步的分支数。</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes that a start-up log of DeepSeek-V4 prints for a token.</source>
        <translation>DeepSeek-V4 启动日志给出的每 token 字节数。</translation>
    </message>
    <message>
        <source>CPU expert layers</source>
        <translation>CPU 专家层数</translation>
    </message>
    <message>
        <source>CPU offload</source>
        <translation>CPU 卸载</translation>
    </message>
    <message>
        <source>CUDA graphs, measured</source>
        <translation>CUDA 图，实测</translation>
    </message>
    <message>
        <source>CUDA graphs: no figure for the release</source>
        <translation>CUDA 图：该版本没有数据</translation>
    </message>
    <message>
        <source>Capacity plan</source>
        <translation>容量规划</translation>
    </message>
    <message>
        <source>Capacity record</source>
        <translation>容量记录</translation>
    </message>
    <message>
        <source>Capacity record: {title}</source>
        <translation>容量记录：{title}</translation>
    </message>
    <message>
        <source>Capacity, headroom kept free</source>
        <translation>容量，保留余量</translation>
    </message>
    <message>
        <source>Capacity, headroom used as well</source>
        <translation>容量，余量也用上</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Cards</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Cells on yellow are inputs: change one, and the figures that come from it follow.</source>
        <translation>黄底单元格是输入：改动其中一个，由它得出的数字随之更新。</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compared in the workbook of this plan, not here: {count} more scenarios.</source>
        <translation>另有 {count} 个方案在此计划的工作簿中对比，此处未列。</translation>
    </message>
    <message>
        <source>Compared with {name}</source>
        <translation>与 {name} 对比</translation>
    </message>
    <message>
        <source>Concurrency asked for</source>
        <translation>要求的并发</translation>
    </message>
    <message>
        <source>Concurrency at the risk taken</source>
        <translation>所取风险下的并发</translation>
    </message>
    <message>
        <source>Concurrency target</source>
        <translation>并发目标</translation>
    </message>
    <message>
        <source>Context limit</source>
        <translation>上下文上限</translation>
    </message>
    <message>
        <source>Context, communication buffers and graphs on each card; empty: not modelled.</source>
        <translation>每卡上的上下文、通信缓冲区与图；留空：未建模。</translation>
    </message>
    <message>
        <source>DCP</source>
        <translation>DCP</translation>
    </message>
    <message>
        <source>DCP {dcp} with TP {tp}: DCP must divide TP, and not exceed the copies of each KV head.</source>
        <translation>DCP {dcp}、TP {tp}：DCP 必须整除 TP，且不超过每个 KV 头的副本数。</translation>
    </message>
    <message>
        <source>DCP {dcp}: splitting a context over ranks is not planned for TensorRT-LLM; set DCP to 1.</source>
        <translation>DCP {dcp}：对 TensorRT-LLM 尚未规划把一条上下文分到多张卡上；请把 DCP 设为 1。</translation>
    </message>
    <message>
        <source>DCP {value}</source>
        <translation>DCP {value}</translation>
    </message>
    <message>
        <source>DP</source>
        <translation>DP</translation>
    </message>
    <message>
        <source>DP attention</source>
        <translation>DP 注意力组数</translation>
    </message>
    <message>
        <source>Data of the plan, read by KV Workbench. Do not edit.</source>
        <translation>计划数据，由 KV Workbench 读取。请勿编辑。</translation>
    </message>
    <message>
        <source>Data parallelism: copies of the model behind one server.</source>
        <translation>数据并行：同一服务背后的模型份数。</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Date: {date}</source>
        <translation>日期：{date}</translation>
    </message>
    <message>
        <source>Decided by</source>
        <translation>由何决定</translation>
    </message>
    <message>
        <source>Decode context parallelism: ranks that share a request&apos;s context.</source>
        <translation>解码上下文并行：分担一个请求上下文的 rank。</translation>
    </message>
    <message>
        <source>Decoder layers of the model.</source>
        <translation>模型的解码器层数。</translation>
    </message>
    <message>
        <source>DeepSeek-V4 compressed entry</source>
        <translation>DeepSeek-V4 压缩条目</translation>
    </message>
    <message>
        <source>DeepSeek-V4 mix: FP4 experts (E2M1, block 32), FP8 block-128 elsewhere</source>
        <translation>DeepSeek-V4 混合：专家 FP4（E2M1，每块 32），其余 FP8（每块 128）</translation>
    </message>
    <message>
        <source>Defaults assumed for release {release}: {flags}. Set them to be sure.</source>
        <translation>版本 {release} 的默认值为假设：{flags}。请明确设置以求准确。</translation>
    </message>
    <message>
        <source>Deployment</source>
        <translation>部署</translation>
    </message>
    <message>
        <source>Difference to the baseline</source>
        <translation>与基线之差</translation>
    </message>
    <message>
        <source>Difference to the baseline, {unit}</source>
        <translation>与基线之差，{unit}</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Does not fit · decided by {binding}, {binding_bytes}</source>
        <translation>放不下 · 决定因素：{binding}，{binding_bytes}</translation>
    </message>
    <message>
        <source>Drawn with {sized_tokens} tokens a request, while 1 % are longer than {p99_tokens}: budget on P95 or P99.</source>
        <translation>按每请求 {sized_tokens} 个 token 绘制，而 1 % 的请求超过 {p99_tokens}：应按 P95 或 P99 规划。</translation>
    </message>
    <message>
        <source>Driver context and libraries on each card.</source>
        <translation>每卡上的驱动上下文和库。</translation>
    </message>
    <message>
        <source>EP</source>
        <translation>EP</translation>
    </message>
    <message>
        <source>EP {ep} with TP {tp}: experts are shared out inside TP, so EP must divide it.</source>
        <translation>EP {ep}，TP {tp}：专家在 TP 之内分配，因此 EP 必须整除 TP。</translation>
    </message>
    <message>
        <source>EP {value}</source>
        <translation>EP {value}</translation>
    </message>
    <message>
        <source>Each window has a pool of its own, and all are sized for requests that fill every window: requests of {context_tokens} fill the pool of {narrow_tokens} first, and that of {wide_tokens} stays partly empty.</source>
        <translation>每种窗口各有一个池，大小都按填满所有窗口的请求来定：{context_tokens} 的请求先填满 {narrow_tokens} 的池，{wide_tokens} 的池则有一部分空着。</translation>
    </message>
    <message>
        <source>Elements of one attention head.</source>
        <translation>一个注意力头的元素数。</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>引擎日志</translation>
    </message>
    <message>
        <source>Engine logs have shown at least {seen_bytes} of this card.</source>
        <translation>引擎日志显示此卡至少有 {seen_bytes}。</translation>
    </message>
    <message>
        <source>Engine logs have shown at most {seen_bytes} of this card.</source>
        <translation>引擎日志显示此卡至多有 {seen_bytes}。</translation>
    </message>
    <message>
        <source>Engine may use, per GPU</source>
        <translation>引擎可用，每卡</translation>
    </message>
    <message>
        <source>Engine refuses</source>
        <translation>引擎拒绝启动</translation>
    </message>
    <message>
        <source>Engine refuses to start: the parallel layout is not possible</source>
        <translation>引擎拒绝启动：该并行布局不可行</translation>
    </message>
    <message>
        <source>Engine refuses: a latent cache of two types</source>
        <translation>引擎拒绝：潜变量缓存用了两种类型</translation>
    </message>
    <message>
        <source>Engine refuses: a prompt is longer than a step takes</source>
        <translation>引擎拒绝：提示词长于一步能处理的长度</translation>
    </message>
    <message>
        <source>Engine refuses: a request is longer than a slot</source>
        <translation>引擎拒绝：有请求比一个槽更长</translation>
    </message>
    <message>
        <source>Engine refuses: a request of {context_tokens} tokens is longer than it accepts</source>
        <translation>引擎拒绝：{context_tokens} 个 token 的请求超过其允许的长度</translation>
    </message>
    <message>
        <source>Engine refuses: a step takes fewer tokens than a request has</source>
        <translation>引擎拒绝：一步的 token 数少于一个请求的 token 数</translation>
    </message>
    <message>
        <source>Engine refuses: a step takes fewer tokens than sequences</source>
        <translation>引擎拒绝：一步的 token 数少于序列数</translation>
    </message>
    <message>
        <source>Engine refuses: blocks of the cache type do not divide a head</source>
        <translation>引擎拒绝：缓存类型的块不能整除头</translation>
    </message>
    <message>
        <source>Engine refuses: its backend has no cache of this format</source>
        <translation>引擎拒绝：其后端没有这种格式的缓存</translation>
    </message>
    <message>
        <source>Engine refuses: less memory is free at start than it asks for</source>
        <translation>引擎拒绝：启动时的空闲显存少于申请量</translation>
    </message>
    <message>
        <source>Engine refuses: max model len exceeds what the model&apos;s config allows</source>
        <translation>引擎拒绝：最大模型长度 超过模型配置允许的长度</translation>
    </message>
    <message>
        <source>Engine refuses: more sequences than state blocks in the pool</source>
        <translation>引擎拒绝：序列数多于池中的状态块</translation>
    </message>
    <message>
        <source>Engine refuses: more slots than it has sequences</source>
        <translation>引擎拒绝：槽数超过它的序列上限</translation>
    </message>
    <message>
        <source>Engine refuses: no 8-bit integer cache beside FP8 weights</source>
        <translation>引擎拒绝：FP8 权重不能搭配 8 位整数缓存</translation>
    </message>
    <message>
        <source>Engine refuses: no room for the KV pool · decided by {binding}, {binding_bytes}</source>
        <translation>引擎拒绝：没有空间容纳 KV 池 · 决定因素：{binding}，{binding_bytes}</translation>
    </message>
    <message>
        <source>Engine refuses: not one sequence of all beams fits the KV pool</source>
        <translation>引擎拒绝：KV 池放不下一条含全部束的序列</translation>
    </message>
    <message>
        <source>Engine refuses: not one token fits the KV pool</source>
        <translation>引擎拒绝：KV 池连一个 token 都放不下</translation>
    </message>
    <message>
        <source>Engine refuses: one request of its longest length does not fit the KV pool</source>
        <translation>引擎拒绝：KV 池放不下一个最长请求</translation>
    </message>
    <message>
        <source>Engine refuses: quantised values without flash attention</source>
        <translation>引擎拒绝：量化的值需要 Flash Attention</translation>
    </message>
    <message>
        <source>Engine refuses: the KV cache cannot be allocated</source>
        <translation>引擎拒绝：KV 缓存无法分配</translation>
    </message>
    <message>
        <source>Engine: {names}</source>
        <translation>引擎：{names}</translation>
    </message>
    <message>
        <source>Entries of the ledger</source>
        <translation>账本条目</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Errors: {errors}, warnings: {warnings}, notes: {notes}</source>
        <translation>错误 {errors} 个，警告 {warnings} 个，说明 {notes} 个</translation>
    </message>
    <message>
        <source>Every length in proportion: the longest request has {context_tokens} tokens instead of {before_tokens}.</source>
        <translation>各长度按比例调整：最长请求为 {context_tokens} 个 token，原为 {before_tokens}。</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Expert parallelism: ranks that share the experts out whole.</source>
        <translation>专家并行：各 rank 分担完整的专家。</translation>
    </message>
    <message>
        <source>FP16</source>
        <translation>FP16</translation>
    </message>
    <message>
        <source>FP32</source>
        <translation>FP32</translation>
    </message>
    <message>
        <source>FP4</source>
        <translation>FP4</translation>
    </message>
    <message>
        <source>FP8</source>
        <translation>FP8</translation>
    </message>
    <message>
        <source>FP8 E4M3 or E5M2, per tensor scale</source>
        <translation>FP8 E4M3 或 E5M2，逐张量缩放</translation>
    </message>
    <message>
        <source>FP8 E4M3, 128x128 blocks (DeepSeek/Qwen style)</source>
        <translation>FP8 E4M3，128x128 块（DeepSeek/Qwen 方式）</translation>
    </message>
    <message>
        <source>FP8 E4M3, per output channel (dynamic activations)</source>
        <translation>FP8 E4M3，逐输出通道（激活动态量化）</translation>
    </message>
    <message>
        <source>FP8 E4M3, per tensor</source>
        <translation>FP8 E4M3，逐张量</translation>
    </message>
    <message>
        <source>FP8 of Meta Llama-3.1-405B-FP8 (MLP only)</source>
        <translation>Meta Llama-3.1-405B-FP8 的 FP8（仅 MLP）</translation>
    </message>
    <message>
        <source>FP8, scale per token and head</source>
        <translation>FP8，按 token 和头缩放</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>Figures of the rank that decides</source>
        <translation>起决定作用的 rank 的数字</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File: {name}</source>
        <translation>文件：{name}</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Findings · {counted}</source>
        <translation>提示 · {counted}</translation>
    </message>
    <message>
        <source>Fingerprint of all inputs</source>
        <translation>全部输入的指纹</translation>
    </message>
    <message>
        <source>First tokens that every window keeps.</source>
        <translation>每个窗口都保留的起始 token 数。</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Fits: {free_bytes} free per GPU · {held} requests of {context_tokens} tokens, at most {most}</source>
        <translation>放得下：每卡空闲 {free_bytes} · {held} 个 {context_tokens} token 的请求，最多 {most} 个</translation>
    </message>
    <message>
        <source>Fits: {free_bytes} free per GPU · {held} requests of {context_tokens} tokens, at most {most} with headroom</source>
        <translation>放得下：每卡空闲 {free_bytes} · {held} 个 {context_tokens} token 的请求，保留余量时最多 {most} 个</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>Fragmentation: cells that nobody holds</source>
        <translation>碎片：无人占用的单元</translation>
    </message>
    <message>
        <source>Fragmentation: cells that rounding adds</source>
        <translation>碎片：取整多出的单元</translation>
    </message>
    <message>
        <source>Fragmentation: reserve</source>
        <translation>碎片：预留</translation>
    </message>
    <message>
        <source>Fragmentation: rows not charged</source>
        <translation>碎片：未计入预算的行</translation>
    </message>
    <message>
        <source>Fragmentation: tail of last blocks</source>
        <translation>碎片：末块尾部</translation>
    </message>
    <message>
        <source>Fragmentation: withheld block</source>
        <translation>碎片：保留块</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Free after the weights were loaded, as the log prints it.</source>
        <translation>日志给出的加载权重后空闲显存。</translation>
    </message>
    <message>
        <source>Free before the weights were loaded, as the log prints it.</source>
        <translation>日志给出的加载权重前空闲显存。</translation>
    </message>
    <message>
        <source>Free per GPU</source>
        <translation>每卡空闲</translation>
    </message>
    <message>
        <source>From a start-up log, for each rank; replaces the computed figure.</source>
        <translation>取自启动日志，按 rank；替换计算值。</translation>
    </message>
    <message>
        <source>From a start-up log, for each rank; the budget is then not worked out.</source>
        <translation>取自启动日志，按 rank；此时不再计算预算。</translation>
    </message>
    <message>
        <source>From a start-up log: context, communication and other processes.</source>
        <translation>取自启动日志：上下文、通信及其他进程。</translation>
    </message>
    <message>
        <source>From a start-up log; replaces the fitted figure.</source>
        <translation>取自启动日志；替换拟合值。</translation>
    </message>
    <message>
        <source>From the baseline</source>
        <translation>从基线出发</translation>
    </message>
    <message>
        <source>From {before} to {after}</source>
        <translation>从 {before} 到 {after}</translation>
    </message>
    <message>
        <source>GPTQ 4 bit, group 128</source>
        <translation>GPTQ 4 位，每组 128</translation>
    </message>
    <message>
        <source>GPTQ 8 bit, group 128</source>
        <translation>GPTQ 8 位，每组 128</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU memory utilization</source>
        <translation>显存利用率</translation>
    </message>
    <message>
        <source>GPU overhead</source>
        <translation>GPU 预留</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPUs and sets</source>
        <translation>GPU 与套件</translation>
    </message>
    <message>
        <source>GPUs compared</source>
        <translation>GPU 对比</translation>
    </message>
    <message>
        <source>GPUs in all</source>
        <translation>GPU 总数</translation>
    </message>
    <message>
        <source>GPUs to fit</source>
        <translation>放得下所需 GPU 数</translation>
    </message>
    <message>
        <source>Graphs, activations and tables outside the budget and what was in use before take {outside_bytes}, where {room_bytes} are left: the card may run out of memory. Ask for a smaller share of it.</source>
        <translation>预算外的 CUDA 图、激活和表以及启动前占用共占 {outside_bytes}，而那里只剩 {room_bytes}：显卡可能显存不足。请减小所用份额。</translation>
    </message>
    <message>
        <source>Groups of ranks that attend to requests of their own.</source>
        <translation>各自处理请求的注意力分组数。</translation>
    </message>
    <message>
        <source>Half of the requests are at most this long.</source>
        <translation>一半的请求不超过此长度。</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>High, bytes</source>
        <translation>上限，字节</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>Host memory for blocks that may be used again.</source>
        <translation>用于存放可复用块的主机内存。</translation>
    </message>
    <message>
        <source>How each figure is reached</source>
        <translation>各数字的由来</translation>
    </message>
    <message>
        <source>How many different shared prefixes there are.</source>
        <translation>有多少个不同的共享前缀。</translation>
    </message>
    <message>
        <source>Hugging Face id</source>
        <translation>Hugging Face ID</translation>
    </message>
    <message>
        <source>INT4, per token and head (asymmetric)</source>
        <translation>INT4，按 token 和头缩放（非对称）</translation>
    </message>
    <message>
        <source>INT8</source>
        <translation>INT8</translation>
    </message>
    <message>
        <source>INT8 W8A8, per channel (SmoothQuant style)</source>
        <translation>INT8 W8A8，逐通道（SmoothQuant 方式）</translation>
    </message>
    <message>
        <source>INT8 weight only / experts_int8</source>
        <translation>INT8 仅权重 / experts_int8</translation>
    </message>
    <message>
        <source>INT8 weight only, all matrices</source>
        <translation>INT8 仅权重，所有矩阵</translation>
    </message>
    <message>
        <source>INT8, per token and head (asymmetric)</source>
        <translation>INT8，按 token 和头缩放（非对称）</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>文字说明</translation>
    </message>
    <message>
        <source>Independent copies of the whole deployment.</source>
        <translation>整个部署的独立份数。</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs of formulas</source>
        <translation>公式的输入</translation>
    </message>
    <message>
        <source>Inputs of the formulas above</source>
        <translation>上述公式的输入</translation>
    </message>
    <message>
        <source>Inputs that differ and are not shown: {count}</source>
        <translation>未显示的不同输入：{count} 项</translation>
    </message>
    <message>
        <source>Inputs that differ from {name}</source>
        <translation>与 {name} 不同的输入</translation>
    </message>
    <message>
        <source>It plans with {found_bytes}, but another reading is {other_bytes}.</source>
        <translation>规划采用 {found_bytes}，但另一读数为 {other_bytes}。</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>KV Workbench {version}</source>
        <translation>KV Workbench {version}</translation>
    </message>
    <message>
        <source>KV bytes a token, 16 bits</source>
        <translation>每 token KV 字节，16 位</translation>
    </message>
    <message>
        <source>KV bytes per token</source>
        <translation>每 token KV 字节</translation>
    </message>
    <message>
        <source>KV bytes per token, per GPU</source>
        <translation>每 token 的 KV 字节，每卡</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>KV cache memory</source>
        <translation>KV 缓存显存</translation>
    </message>
    <message>
        <source>KV cache: batch in flight</source>
        <translation>KV 缓存：在途批次</translation>
    </message>
    <message>
        <source>KV cache: cells of windows</source>
        <translation>KV 缓存：窗口的单元</translation>
    </message>
    <message>
        <source>KV cache: draft, not charged</source>
        <translation>KV 缓存：草稿，未计入预算</translation>
    </message>
    <message>
        <source>KV cache: window pool</source>
        <translation>KV 缓存：窗口池</translation>
    </message>
    <message>
        <source>KV format</source>
        <translation>KV 格式</translation>
    </message>
    <message>
        <source>KV format {detail}</source>
        <translation>KV 格式 {detail}</translation>
    </message>
    <message>
        <source>KV formats</source>
        <translation>KV 格式</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>KV 头数</translation>
    </message>
    <message>
        <source>KV heads are copied on the ranks</source>
        <translation>KV 头在各 rank 上有副本</translation>
    </message>
    <message>
        <source>KV heads of the model</source>
        <translation>模型的 KV 头数</translation>
    </message>
    <message>
        <source>KV heads on a rank</source>
        <translation>每个 rank 的 KV 头数</translation>
    </message>
    <message>
        <source>KV held, bytes</source>
        <translation>占用的 KV 字节</translation>
    </message>
    <message>
        <source>KV layout</source>
        <translation>KV 布局</translation>
    </message>
    <message>
        <source>KV of a request</source>
        <translation>请求的 KV</translation>
    </message>
    <message>
        <source>KV pool</source>
        <translation>KV 缓存池</translation>
    </message>
    <message>
        <source>KV pool as allocated, measured</source>
        <translation>已分配 KV 池，实测</translation>
    </message>
    <message>
        <source>KV pool as the log prints it.</source>
        <translation>日志给出的 KV 池大小。</translation>
    </message>
    <message>
        <source>KV pool, measured</source>
        <translation>KV 池，实测</translation>
    </message>
    <message>
        <source>KV pool, per GPU</source>
        <translation>KV 缓存池，每卡</translation>
    </message>
    <message>
        <source>KV rank</source>
        <translation>KV 秩</translation>
    </message>
    <message>
        <source>KV scales of the layers</source>
        <translation>各层的 KV 缩放系数</translation>
    </message>
    <message>
        <source>KV total</source>
        <translation>KV 总量</translation>
    </message>
    <message>
        <source>KV total of two ledgers, before and after the change</source>
        <translation>两个账本的 KV 总量，改变前与改变后</translation>
    </message>
    <message>
        <source>Keeps the KV cache in {format}; how it changes the answers is not modelled.</source>
        <translation>KV 缓存采用 {format}；未对回答质量的变化建模。</translation>
    </message>
    <message>
        <source>Keeps the weights in {format}; how it changes the answers is not modelled.</source>
        <translation>权重采用 {format}；未对回答质量的变化建模。</translation>
    </message>
    <message>
        <source>Kept for activations and communication buffers: a share of the card or bytes.</source>
        <translation>为激活与通信缓冲区预留：显卡的比例或字节数。</translation>
    </message>
    <message>
        <source>Kept for fragmentation: a share of the card or bytes.</source>
        <translation>为碎片预留：显卡的比例或字节数。</translation>
    </message>
    <message>
        <source>Kept free on every card for bursts, block tables and alignment: a share of the card or bytes.</source>
        <translation>每卡为突发、块表与对齐保留的空闲：显卡的比例或字节数。</translation>
    </message>
    <message>
        <source>Kernels take {format} in blocks of at least {smallest_tokens} tokens, not {block_tokens}.</source>
        <translation>内核处理 {format} 的块至少为 {smallest_tokens} 个 token，不能是 {block_tokens}。</translation>
    </message>
    <message>
        <source>Key/value heads of a layer, not attention heads.</source>
        <translation>一层的键/值头数，不是注意力头数。</translation>
    </message>
    <message>
        <source>Keys that are not known here are kept and change no figure ({keys} in all): {where}.</source>
        <translation>以下键在此不被识别，予以保留，但不影响任何数值（共 {keys} 个）：{where}。</translation>
    </message>
    <message>
        <source>Keys that belong to {owner} are kept but change no figure under the kind {kind} ({keys} in all): {where}.</source>
        <translation>以下键属于 {owner}，在 kind 为 {kind} 时予以保留，但不影响任何数值（共 {keys} 个）：{where}。</translation>
    </message>
    <message>
        <source>Largest batch that a CUDA graph is captured for.</source>
        <translation>捕获 CUDA 图的最大批次。</translation>
    </message>
    <message>
        <source>Largest batch that has a CUDA graph.</source>
        <translation>带 CUDA 图的最大批次。</translation>
    </message>
    <message>
        <source>Layer {layer} reads the cache of layer {source}, which writes none.</source>
        <translation>第 {layer} 层读取第 {source} 层的缓存，而后者不写缓存。</translation>
    </message>
    <message>
        <source>Layers on the cards, the last first; the output counts as one.</source>
        <translation>放在显卡上的层数，从最后一层算起；输出层也算一层。</translation>
    </message>
    <message>
        <source>Layers, from the first, whose experts stay in host memory.</source>
        <translation>专家留在主机内存的层数，从第一层算起。</translation>
    </message>
    <message>
        <source>Least sure input</source>
        <translation>最不确定的输入</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>账本</translation>
    </message>
    <message>
        <source>Left free on every card when the start fits itself.</source>
        <translation>自动适配时每卡保留的空闲。</translation>
    </message>
    <message>
        <source>Left of the budget, per GPU</source>
        <translation>预算剩余，每卡</translation>
    </message>
    <message>
        <source>Left per GPU</source>
        <translation>每卡剩余</translation>
    </message>
    <message>
        <source>Left to the engine</source>
        <translation>交由引擎决定</translation>
    </message>
    <message>
        <source>Length of the longest request.</source>
        <translation>最长请求的长度。</translation>
    </message>
    <message>
        <source>LoRA adapters</source>
        <translation>LoRA 适配器</translation>
    </message>
    <message>
        <source>Long prompts are computed in chunks.</source>
        <translation>长提示词分块计算。</translation>
    </message>
    <message>
        <source>Longest answer that requests ask for; its blocks are reserved.</source>
        <translation>请求要求的最长回答；其块会被预留。</translation>
    </message>
    <message>
        <source>Longest request at its concurrency</source>
        <translation>在其并发下的最长请求</translation>
    </message>
    <message>
        <source>Longest request that is accepted, in tokens; empty takes the model&apos;s longest position.</source>
        <translation>接受的最长请求，以 token 计；留空取模型的最大位置长度。</translation>
    </message>
    <message>
        <source>Low to high</source>
        <translation>下限至上限</translation>
    </message>
    <message>
        <source>Low, bytes</source>
        <translation>下限，字节</translation>
    </message>
    <message>
        <source>MLX affine 3 bit, group 64</source>
        <translation>MLX 仿射 3 位，每组 64</translation>
    </message>
    <message>
        <source>MLX affine 4 bit, group 64</source>
        <translation>MLX 仿射 4 位，每组 64</translation>
    </message>
    <message>
        <source>MLX affine 6 bit, group 64</source>
        <translation>MLX 仿射 6 位，每组 64</translation>
    </message>
    <message>
        <source>MLX affine 8 bit, group 64</source>
        <translation>MLX 仿射 8 位，每组 64</translation>
    </message>
    <message>
        <source>MXFP4 (E2M1, block 32, E8M0 scale)</source>
        <translation>MXFP4（E2M1，每块 32，E8M0 缩放）</translation>
    </message>
    <message>
        <source>MXFP8 (E4M3, block 32, E8M0 scale)</source>
        <translation>MXFP8（E4M3，每块 32，E8M0 缩放）</translation>
    </message>
    <message>
        <source>MXFP8 (block 32)</source>
        <translation>MXFP8（每块 32）</translation>
    </message>
    <message>
        <source>Max model len {max_model_len_tokens} exceeds the {limit_tokens} that the engine derives from the model&apos;s config: at most that is accepted.</source>
        <translation>最大模型长度 {max_model_len_tokens} 超过引擎从模型配置得出的 {limit_tokens}：最多接受该值。</translation>
    </message>
    <message>
        <source>Max model len {max_model_len_tokens} is {factor} times the P99 request of {p99_tokens}: its block table takes {table_bytes} instead of {table_at_p99_bytes}, and engines that reserve by it hold fewer requests.</source>
        <translation>最大模型长度 {max_model_len_tokens} 是 P99 请求 {p99_tokens} 的 {factor} 倍：其块表占 {table_bytes}，而不是 {table_at_p99_bytes}；按它预留的引擎能容纳的请求更少。</translation>
    </message>
    <message>
        <source>Max model len {max_model_len_tokens} lies beyond the model&apos;s longest position of {limit_tokens}: right only with extended positions (RoPE scaling).</source>
        <translation>最大模型长度 {max_model_len_tokens} 超出模型的最大位置长度 {limit_tokens}：仅在扩展位置（RoPE 缩放）时才正确。</translation>
    </message>
    <message>
        <source>Max sequences {sequences} exceeds the {blocks} state blocks of the pool: lower max sequences or raise the memory for the pool.</source>
        <translation>最大序列数 {sequences} 超过池中的 {blocks} 个状态块：请降低最大序列数或加大池的显存。</translation>
    </message>
    <message>
        <source>Memory ledger</source>
        <translation>显存账本</translation>
    </message>
    <message>
        <source>Memory of recurrent states for each byte of the KV cache.</source>
        <translation>循环状态显存与 KV 缓存显存之比。</translation>
    </message>
    <message>
        <source>Memory of the host; empty asks for what is needed.</source>
        <translation>主机内存；留空则按需要计。</translation>
    </message>
    <message>
        <source>Memory per GPU</source>
        <translation>每卡显存</translation>
    </message>
    <message>
        <source>Memory per GPU, bytes</source>
        <translation>每卡显存，字节</translation>
    </message>
    <message>
        <source>Memory per GPU, {unit}</source>
        <translation>每卡显存，{unit}</translation>
    </message>
    <message>
        <source>Memory that the runtime reports for one card.</source>
        <translation>运行时报告的单张显卡显存。</translation>
    </message>
    <message>
        <source>Memory used per GPU</source>
        <translation>每卡已用显存</translation>
    </message>
    <message>
        <source>Memory used per GPU, % of what the engine may use</source>
        <translation>每卡已用显存，占引擎可用量的百分比</translation>
    </message>
    <message>
        <source>MiB of graphs for a request</source>
        <translation>每个请求的 CUDA 图 MiB</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Models compared</source>
        <translation>模型对比</translation>
    </message>
    <message>
        <source>Mooncake conversations</source>
        <translation>Mooncake 对话</translation>
    </message>
    <message>
        <source>Most bytes of the KV pool.</source>
        <translation>KV 池的字节上限。</translation>
    </message>
    <message>
        <source>Most prompt tokens in one step.</source>
        <translation>一步最多处理的提示词 token 数。</translation>
    </message>
    <message>
        <source>Most requests</source>
        <translation>最多请求</translation>
    </message>
    <message>
        <source>Most requests at once; empty takes 256 for the block table and no limit.</source>
        <translation>同时的最大请求数；留空时块表按 256 计，且无限制。</translation>
    </message>
    <message>
        <source>Most requests of the drawn length</source>
        <translation>所示长度下的最多请求</translation>
    </message>
    <message>
        <source>Most requests of the drawn length, headroom kept</source>
        <translation>所示长度下的最多请求，保留余量</translation>
    </message>
    <message>
        <source>Most requests that fit, headroom kept</source>
        <translation>放得下的最多请求数（保留余量）</translation>
    </message>
    <message>
        <source>Most requests, change</source>
        <translation>最多请求数的变化</translation>
    </message>
    <message>
        <source>Most requests, headroom kept</source>
        <translation>最多请求数（保留余量）</translation>
    </message>
    <message>
        <source>Most tokens computed at once; sizes the compute buffer.</source>
        <translation>一次计算的 token 上限，决定计算缓冲大小。</translation>
    </message>
    <message>
        <source>Most tokens of a logical step.</source>
        <translation>一个逻辑步的 token 上限。</translation>
    </message>
    <message>
        <source>Most tokens of the KV pool.</source>
        <translation>KV 池的 token 上限。</translation>
    </message>
    <message>
        <source>Most tokens processed in one step.</source>
        <translation>一步处理的最大 token 数。</translation>
    </message>
    <message>
        <source>NVFP4 (E2M1, block 16, E4M3 scale + F32 tensor scale)</source>
        <translation>NVFP4（E2M1，每块 16，E4M3 缩放 + F32 张量缩放）</translation>
    </message>
    <message>
        <source>NVFP4 (block 16, E4M3 scale)</source>
        <translation>NVFP4（每块 16，E4M3 缩放）</translation>
    </message>
    <message>
        <source>NVFP4 checkpoints can switch the KV cache to fp8 by themselves: choose fp8 if the start-up log shows twice the tokens.</source>
        <translation>NVFP4 检查点可能自行把 KV 缓存切换为 fp8：若启动日志显示 token 数翻倍，请选择 fp8。</translation>
    </message>
    <message>
        <source>Names of which nothing can be seen are replaced by the id ({found} in all): {where}.</source>
        <translation>看不到任何字符的名称已改用其 id（共 {found} 处）：{where}。</translation>
    </message>
    <message>
        <source>Near the limit</source>
        <translation>接近上限</translation>
    </message>
    <message>
        <source>Near the limit: {free_bytes} free per GPU · {held} requests of {context_tokens} tokens, at most {most}</source>
        <translation>接近上限：每卡空闲 {free_bytes} · {held} 个 {context_tokens} token 的请求，最多 {most} 个</translation>
    </message>
    <message>
        <source>No TP up to 64 divides the heads of {model}.</source>
        <translation>64 以内没有能整除 {model} 注意力头数的 TP。</translation>
    </message>
    <message>
        <source>No change that was tried fits: fewer or shorter requests, 8-bit formats, TP up to {tp}.</source>
        <translation>尝试过的更改都放不下：可减少或缩短请求、采用 8 位格式、TP 提高到 {tp}。</translation>
    </message>
    <message>
        <source>No change that was tried lets the engine start.</source>
        <translation>尝试过的更改都无法让引擎启动。</translation>
    </message>
    <message>
        <source>No decode context parallelism.</source>
        <translation>不使用解码上下文并行。</translation>
    </message>
    <message>
        <source>No expert parallelism.</source>
        <translation>不使用专家并行。</translation>
    </message>
    <message>
        <source>No figure here is a measurement unless it says so.</source>
        <translation>除非注明，此处的数字都不是实测值。</translation>
    </message>
    <message>
        <source>No headroom is kept: block tables, alignment, temporary buffers and bursts need some.</source>
        <translation>没有保留余量：块表、对齐、临时缓冲区与突发都需要一些。</translation>
    </message>
    <message>
        <source>No plan</source>
        <translation>无法规划</translation>
    </message>
    <message>
        <source>No plan: this architecture or layout is not covered by the engine&apos;s rule</source>
        <translation>无法规划：引擎规则不涵盖此架构或布局</translation>
    </message>
    <message>
        <source>No setting helps: the engine has no plan for {model}.</source>
        <translation>任何设置都无济于事：引擎无法规划 {model}。</translation>
    </message>
    <message>
        <source>No smaller question that was tried leaves the reserve free.</source>
        <translation>尝试过的更小需求都不能留出预留。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>None of {count} scenarios fits</source>
        <translation>{count} 个方案都放不下</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>Not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>Not one token of {model} fits what is left.</source>
        <translation>剩余空间连 {model} 的一个 token 都放不下。</translation>
    </message>
    <message>
        <source>Not requested</source>
        <translation>未申请</translation>
    </message>
    <message>
        <source>Not requested by the engine</source>
        <translation>引擎未申请</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Nothing between the two moves the answer.</source>
        <translation>两者之间没有任何改动影响答案。</translation>
    </message>
    <message>
        <source>Nothing that was tried helps: even with TP {tp} the weights take {weights_bytes} on each GPU, {budget_bytes} may be used.</source>
        <translation>尝试过的办法都无济于事：即使 TP {tp}，每卡上的权重仍占 {weights_bytes}，而可用 {budget_bytes}。</translation>
    </message>
    <message>
        <source>Nothing that was tried helps: even with TP {tp} what is fixed takes {fixed_bytes} on each GPU, {budget_bytes} may be used.</source>
        <translation>尝试过的办法都无济于事：即使 TP {tp}，每卡上的固定开销仍占 {fixed_bytes}，而可用 {budget_bytes}。</translation>
    </message>
    <message>
        <source>On yellow: change it, and the sheets of the scenarios follow. On grey: they follow in part; figures that stay as they are say so.</source>
        <translation>黄底：改动后，各方案的工作表随之更新。灰底：部分更新；保持不变的数字会注明。</translation>
    </message>
    <message>
        <source>One axis, 0 to {size}</source>
        <translation>同一坐标轴，0 至 {size}</translation>
    </message>
    <message>
        <source>One request of max model len {max_model_len_tokens} does not fit the pool, and the release names no length that would.</source>
        <translation>一个最大模型长度 {max_model_len_tokens} 的请求放不进池，且该版本不会指出可行的长度。</translation>
    </message>
    <message>
        <source>One request of max model len {max_model_len_tokens} needs {needed_bytes} of KV cache, {available_bytes} is left: at most {suggested_tokens} tokens fit.</source>
        <translation>一个最大模型长度 {max_model_len_tokens} 的请求需要 {needed_bytes} 的 KV 缓存，剩余 {available_bytes}：最多放得下 {suggested_tokens} 个 token。</translation>
    </message>
    <message>
        <source>One row must remain.</source>
        <translation>至少要保留一行。</translation>
    </message>
    <message>
        <source>One sequence of {beams} beams needs a block for each, the pool has {blocks}.</source>
        <translation>一条 {beams} 束的序列每束至少要一个块，池只有 {blocks} 个。</translation>
    </message>
    <message>
        <source>Only {left_bytes} left and no headroom kept: near the limit is not a pass.</source>
        <translation>仅剩 {left_bytes} 且没有保留余量：接近上限不算通过。</translation>
    </message>
    <message>
        <source>Only {left_bytes} left of the {reserve_bytes} to keep: near the limit is not a pass.</source>
        <translation>应保留的 {reserve_bytes} 中仅剩 {left_bytes}：接近上限不算通过。</translation>
    </message>
    <message>
        <source>Outside the budget</source>
        <translation>预算外</translation>
    </message>
    <message>
        <source>Over by {over_bytes} per GPU · decided by {binding}, {binding_bytes}</source>
        <translation>每卡超出 {over_bytes} · 决定因素：{binding}，{binding_bytes}</translation>
    </message>
    <message>
        <source>P50</source>
        <translation>P50</translation>
    </message>
    <message>
        <source>P95</source>
        <translation>P95</translation>
    </message>
    <message>
        <source>P99</source>
        <translation>P99</translation>
    </message>
    <message>
        <source>PP</source>
        <translation>PP</translation>
    </message>
    <message>
        <source>PP {value}</source>
        <translation>PP {value}</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Part of the cache that models of chunked layers split by chunk.</source>
        <translation>分块注意力模型按块划分的缓存比例。</translation>
    </message>
    <message>
        <source>Pipeline parallelism: stages that share the layers.</source>
        <translation>流水线并行：分担各层的阶段。</translation>
    </message>
    <message>
        <source>Plain arithmetic</source>
        <translation>基础算法</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Prefix cache</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>Prefix caching is off: nothing is shared, and the prefix has no effect.</source>
        <translation>前缀缓存已关闭：没有共享，前缀不起作用。</translation>
    </message>
    <message>
        <source>Probability of overflowing the pool that is taken; empty takes 1 %.</source>
        <translation>可接受的池溢出概率；留空取 1 %。</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Rank {ranks}</source>
        <translation>Rank {ranks}</translation>
    </message>
    <message>
        <source>Ranks {ranks}, alike</source>
        <translation>Rank {ranks}，相同</translation>
    </message>
    <message>
        <source>Recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>Recurrent state: a row for each slot</source>
        <translation>循环状态：每槽一行</translation>
    </message>
    <message>
        <source>Recurrent state: slots</source>
        <translation>循环状态：槽位</translation>
    </message>
    <message>
        <source>Release of the engine, such as 0.15.1; each follows its own rules.</source>
        <translation>引擎版本，例如 0.15.1；各版本遵循自己的规则。</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求数</translation>
    </message>
    <message>
        <source>Requests held at once; empty shows the largest number that fits.</source>
        <translation>同时容纳的请求数；留空显示放得下的最大数量。</translation>
    </message>
    <message>
        <source>Requests of at most {context_tokens} tokens instead of {before_tokens}.</source>
        <translation>请求最长 {context_tokens} 个 token，原为 {before_tokens}。</translation>
    </message>
    <message>
        <source>Requests served at once.</source>
        <translation>同时服务的请求数。</translation>
    </message>
    <message>
        <source>Requests that the engine&apos;s log prints</source>
        <translation>引擎日志打印的请求数</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Reserves</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Result: {name}</source>
        <translation>结果：{name}</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时开销</translation>
    </message>
    <message>
        <source>Runtime, as given</source>
        <translation>运行时，给定</translation>
    </message>
    <message>
        <source>Runtime: CUDA graphs</source>
        <translation>运行时：CUDA 图</translation>
    </message>
    <message>
        <source>Runtime: driver context and libraries</source>
        <translation>运行时：驱动上下文和库</translation>
    </message>
    <message>
        <source>Runtime: in use before start</source>
        <translation>运行时：启动前占用</translation>
    </message>
    <message>
        <source>Runtime: multimodal cache</source>
        <translation>运行时：多模态缓存</translation>
    </message>
    <message>
        <source>Runtime: output buffer</source>
        <translation>运行时：输出缓冲</translation>
    </message>
    <message>
        <source>Runtime: outside torch</source>
        <translation>运行时：torch 之外</translation>
    </message>
    <message>
        <source>Runtime: request table</source>
        <translation>运行时：请求表</translation>
    </message>
    <message>
        <source>Runtime: sampler buffers</source>
        <translation>运行时：采样器缓冲区</translation>
    </message>
    <message>
        <source>SGLang&apos;s pools</source>
        <translation>SGLang 的缓存池</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Scenarios at a glance</source>
        <translation>方案一览</translation>
    </message>
    <message>
        <source>Scenarios compared with {name}</source>
        <translation>各方案与 {name} 对比</translation>
    </message>
    <message>
        <source>Scenarios not marked, other inputs differ: {count}</source>
        <translation>未标出的方案（其他输入不同）：{count} 个</translation>
    </message>
    <message>
        <source>Scenarios not shown: {count}</source>
        <translation>未显示的方案：{count} 个</translation>
    </message>
    <message>
        <source>Scenarios without a bar here: {count}. The table has all.</source>
        <translation>此处未画条形的方案：{count} 个。表中列出全部方案。</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>分节</translation>
    </message>
    <message>
        <source>Server and offline starts have batch limits of their own.</source>
        <translation>服务与离线启动各有自己的批次限制。</translation>
    </message>
    <message>
        <source>Serves {requests} requests at once instead of {before}.</source>
        <translation>同时服务 {requests} 个请求，原为 {before}。</translation>
    </message>
    <message>
        <source>Settings that the engine takes by itself: {count}</source>
        <translation>引擎自行取值的设置：{count} 项</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Share of all requests that begin with one of the prefixes.</source>
        <translation>以某个前缀开头的请求占全部请求的比例。</translation>
    </message>
    <message>
        <source>Share of the blocks kept free when a request is admitted.</source>
        <translation>准入请求时保持空闲的块的比例。</translation>
    </message>
    <message>
        <source>Share of the blocks that stay free when a request is admitted.</source>
        <translation>接纳请求时保持空闲的块比例。</translation>
    </message>
    <message>
        <source>Share of the card</source>
        <translation>占显卡的比例</translation>
    </message>
    <message>
        <source>Share of the card that the engine may use.</source>
        <translation>引擎可以使用的显存比例。</translation>
    </message>
    <message>
        <source>Share of the memory free before the load that weights and KV cache may take.</source>
        <translation>加载前空闲显存中，权重与 KV 缓存可占的比例。</translation>
    </message>
    <message>
        <source>Share of what is free after the weights that the pool takes.</source>
        <translation>加载权重后空闲显存中，KV 池所占比例。</translation>
    </message>
    <message>
        <source>Share of what weights and activations leave free that the pool takes.</source>
        <translation>权重与激活之后空闲显存中，KV 池所占比例。</translation>
    </message>
    <message>
        <source>ShareGPT, up to 8k tokens</source>
        <translation>ShareGPT，最长 8k token</translation>
    </message>
    <message>
        <source>Shares the layers over {value} stages.</source>
        <translation>将各层分到 {value} 个阶段。</translation>
    </message>
    <message>
        <source>Shortest context that fitting may choose.</source>
        <translation>自动适配可选的最短上下文。</translation>
    </message>
    <message>
        <source>Size of the KV pool on each rank; utilization is then ignored.</source>
        <translation>每个 rank 上 KV 池的大小；此时忽略利用率。</translation>
    </message>
    <message>
        <source>Slots for recurrent states.</source>
        <translation>循环状态的槽位数。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Steady state, P50 length</source>
        <translation>稳态，P50 长度</translation>
    </message>
    <message>
        <source>Steady state, P95 length</source>
        <translation>稳态，P95 长度</translation>
    </message>
    <message>
        <source>Steady state, P95 length, headroom used</source>
        <translation>稳态，P95 长度，用上余量</translation>
    </message>
    <message>
        <source>Steady state, P99 length</source>
        <translation>稳态，P99 长度</translation>
    </message>
    <message>
        <source>Steady state, P99 length, headroom used</source>
        <translation>稳态，P99 长度，用上余量</translation>
    </message>
    <message>
        <source>Steady state, longest length</source>
        <translation>稳态，最长长度</translation>
    </message>
    <message>
        <source>Steady state, mean length</source>
        <translation>稳态，平均长度</translation>
    </message>
    <message>
        <source>Steady state, mean length, headroom used</source>
        <translation>稳态，平均长度，用上余量</translation>
    </message>
    <message>
        <source>Steps of the draft before the model checks them.</source>
        <translation>草稿模型每轮的步数。</translation>
    </message>
    <message>
        <source>Structure</source>
        <translation>结构</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>TP</source>
        <translation>TP</translation>
    </message>
    <message>
        <source>TP {tp}</source>
        <translation>TP {tp}</translation>
    </message>
    <message>
        <source>TP {tp} cannot be divided into {groups} groups of attention: take a number of groups that divides TP.</source>
        <translation>TP {tp} 无法分成 {groups} 个注意力组：组数须整除 TP。</translation>
    </message>
    <message>
        <source>TP {tp} does not divide {heads} attention heads and {kv_heads} KV heads: TP must divide the attention heads, and divide or be a multiple of the KV heads.</source>
        <translation>TP {tp} 不能整除 {heads} 个注意力头和 {kv_heads} 个 KV 头：TP 必须整除注意力头数，并整除 KV 头数或是其倍数。</translation>
    </message>
    <message>
        <source>TP {tp} does not divide {width}, the width of {tensor}: take a TP that divides it.</source>
        <translation>TP {tp} 不能整除 {tensor} 的宽度 {width}：请取能整除它的 TP。</translation>
    </message>
    <message>
        <source>TP {tp} exceeds {kv_heads} KV heads: each is kept {copies} times, {lost_per_token_bytes} lost per token over all ranks.</source>
        <translation>TP {tp} 超过 {kv_heads} 个 KV 头：每个头保存 {copies} 份，所有 rank 合计每 token 浪费 {lost_per_token_bytes}。</translation>
    </message>
    <message>
        <source>TP {value}</source>
        <translation>TP {value}</translation>
    </message>
    <message>
        <source>Taken of the card</source>
        <translation>共占用显卡</translation>
    </message>
    <message>
        <source>Taken of the card in all, per GPU</source>
        <translation>每卡共占用</translation>
    </message>
    <message>
        <source>Taken off each card before ollama chooses its defaults.</source>
        <translation>ollama 选默认值前从每卡扣除的显存。</translation>
    </message>
    <message>
        <source>Takes {gpus} GPUs instead of {before}.</source>
        <translation>使用 {gpus} 张 GPU，原为 {before}。</translation>
    </message>
    <message>
        <source>Tensor parallelism: cards that share every layer.</source>
        <translation>张量并行：共同分担每一层的显卡。</translation>
    </message>
    <message>
        <source>Texts that name no release of their engine were replaced ({found} in all): {where}.</source>
        <translation>不是所属引擎版本的文字已被替换（共 {found} 处）：{where}。</translation>
    </message>
    <message>
        <source>The PyTorch backend has no cache of {format}: choose fp8, nvfp4 or 16 bits, or the TensorRT backend.</source>
        <translation>PyTorch 后端没有 {format} 的缓存：请选 fp8、nvfp4 或 16 位，或改用 TensorRT 后端。</translation>
    </message>
    <message>
        <source>The answers in this record were changed after it was written</source>
        <translation>此记录中的答案在写成之后被改动过</translation>
    </message>
    <message>
        <source>The cache counts {kv_heads} KV heads; counting the {heads} attention heads would overstate it {factor} times.</source>
        <translation>缓存按 {kv_heads} 个 KV 头计算；若按 {heads} 个注意力头计算会高估 {factor} 倍。</translation>
    </message>
    <message>
        <source>The cells take {needed_bytes}, {available_bytes} are left: the engine fails to allocate them. Lower the context, quantise the cache, or put fewer layers on the cards.</source>
        <translation>单元需要 {needed_bytes}，只剩 {available_bytes}：引擎分配失败。请缩短上下文、量化缓存，或少放几层到卡上。</translation>
    </message>
    <message>
        <source>The disk is full. {path} is as it was; save to another place or make room.</source>
        <translation>磁盘已满。{path} 保持原样；请保存到别处或腾出空间。</translation>
    </message>
    <message>
        <source>The disk is read-only. {path} is as it was; save to another place.</source>
        <translation>磁盘为只读。{path} 保持原样；请保存到别处。</translation>
    </message>
    <message>
        <source>The disk reports an error. {path} is as it was; save to another disk.</source>
        <translation>磁盘报告错误。{path} 保持原样；请保存到另一磁盘。</translation>
    </message>
    <message>
        <source>The dummy batch that measures the activations needs {needed_tokens} tokens of cache, the pool holds {pool_tokens}: the start may fail. Lower max batched tokens.</source>
        <translation>测量激活的虚拟批次需要 {needed_tokens} 的缓存，池只有 {pool_tokens}：启动可能失败。请降低每步最大 token 数。</translation>
    </message>
    <message>
        <source>The engine accepts requests of at most {value_tokens} tokens.</source>
        <translation>引擎接受最长 {value_tokens} 个 token 的请求。</translation>
    </message>
    <message>
        <source>The engine counts the blocks itself.</source>
        <translation>由引擎自行计算块数。</translation>
    </message>
    <message>
        <source>The engine does not start: {verdict}.</source>
        <translation>引擎无法启动：{verdict}。</translation>
    </message>
    <message>
        <source>The engine may use {value_share} of the card.</source>
        <translation>引擎可使用显卡的 {value_share}。</translation>
    </message>
    <message>
        <source>The engine shares the layers out evenly.</source>
        <translation>引擎平均划分各层。</translation>
    </message>
    <message>
        <source>The engine sizes the pool itself.</source>
        <translation>由引擎自行决定池的大小。</translation>
    </message>
    <message>
        <source>The engine takes the longest length that fits.</source>
        <translation>引擎采用放得下的最大长度。</translation>
    </message>
    <message>
        <source>The fitted figures leave the answer open: the pool lies between {low_bytes} and {high_bytes}, and the verdict differs between the two.</source>
        <translation>拟合数值无法给出定论：池在 {low_bytes} 与 {high_bytes} 之间，两端的结论不同。</translation>
    </message>
    <message>
        <source>The folder of {path} does not exist; save to another place.</source>
        <translation>{path} 所在的文件夹不存在；请保存到别处。</translation>
    </message>
    <message>
        <source>The host cache of {host_bytes} keeps {blocks} blocks, {pool_tokens} tokens, for reuse; running requests take none of them.</source>
        <translation>{host_bytes} 的主机缓存保留 {blocks} 个块（{pool_tokens}）供复用；运行中的请求不占用它们。</translation>
    </message>
    <message>
        <source>The layers cache {found} elements a token, published are {published}.</source>
        <translation>各层每 token 缓存 {found} 个元素，公布值为 {published}。</translation>
    </message>
    <message>
        <source>The layers of {model} differ: only a model with equal layers can be reshaped here.</source>
        <translation>{model} 的各层不同：此处只能修改各层相同的模型的结构。</translation>
    </message>
    <message>
        <source>The longest request has {context_tokens} tokens, the engine accepts {limit_tokens}: raise max model len or shorten the context.</source>
        <translation>最长请求有 {context_tokens} 个 token，引擎接受 {limit_tokens}：请提高最大模型长度 或缩短上下文。</translation>
    </message>
    <message>
        <source>The longest request has {context_tokens} tokens, the model&apos;s longest position is {limit_tokens}.</source>
        <translation>最长请求有 {context_tokens} 个 token，模型的最大位置长度为 {limit_tokens}。</translation>
    </message>
    <message>
        <source>The model&apos;s windows of {window_tokens} tokens are not known to the cache: every layer keeps every token, unless attention windows are given.</source>
        <translation>缓存不知道模型 {window_tokens} 的窗口：除非给出注意力窗口，否则每一层都保留全部 token。</translation>
    </message>
    <message>
        <source>The name {path} is too long for this disk; choose a shorter one.</source>
        <translation>名称 {path} 对此磁盘来说太长；请换一个短的。</translation>
    </message>
    <message>
        <source>The name “{text}” also belongs to {other}; each needs its own.</source>
        <translation>名称“{text}”也属于 {other}；名称不能重复。</translation>
    </message>
    <message>
        <source>The pipeline partition names {named} layers, the model has {layers}.</source>
        <translation>流水线划分写了 {named} 层，而模型有 {layers} 层。</translation>
    </message>
    <message>
        <source>The plain arithmetic has no rule for expert or decode-context parallelism; set EP and DCP to 1.</source>
        <translation>基础算法没有专家并行或解码上下文并行的规则；请将 EP 和 DCP 设为 1。</translation>
    </message>
    <message>
        <source>The plain arithmetic has no rule for layers of kind {kinds} in {model}; counting them as full attention would be wrong. The vllm engine plans them.</source>
        <translation>基础算法没有 {model} 中 {kinds} 类层的规则；按全注意力计算会出错。可由 vllm 引擎规划。</translation>
    </message>
    <message>
        <source>The plain arithmetic has no scheduler: what happens to requests beyond that depends on the engine that serves them.</source>
        <translation>基础算法没有调度器：超出部分的请求如何处理，取决于实际提供服务的引擎。</translation>
    </message>
    <message>
        <source>The plain arithmetic takes one attention shape for all layers; those of {model} differ. The vllm engine plans them.</source>
        <translation>基础算法要求所有层的注意力结构相同；{model} 的各层不同。可由 vllm 引擎规划。</translation>
    </message>
    <message>
        <source>The plan has no scenario: add one, then export.</source>
        <translation>计划中没有方案：请先添加一个，再导出。</translation>
    </message>
    <message>
        <source>The plan has one scenario: there is nothing to compare it with.</source>
        <translation>计划只有一个方案：没有可对比的对象。</translation>
    </message>
    <message>
        <source>The plan in this record is not the one that its answers were worked out for</source>
        <translation>此记录中的计划不是其答案所依据的那一份</translation>
    </message>
    <message>
        <source>The plan in {path} is larger than the {limit_bytes} that are accepted at most.</source>
        <translation>{path} 中的计划超过允许的最大值 {limit_bytes}。</translation>
    </message>
    <message>
        <source>The plan was of schema version {version} and has been brought up to date.</source>
        <translation>计划原为 schema 版本 {version}，已升级到最新。</translation>
    </message>
    <message>
        <source>The pool holds at most {most} requests of {context_tokens} tokens.</source>
        <translation>最多容纳 {most} 个 {context_tokens} token 的请求。</translation>
    </message>
    <message>
        <source>The pool holds no request of max model len {max_model_len_tokens}, and the engine was told to refuse rather than cut it to {suggested_tokens}.</source>
        <translation>池放不下一条长度为最大模型长度 {max_model_len_tokens} 的请求，而引擎被设为拒绝启动，而不是截到 {suggested_tokens}。</translation>
    </message>
    <message>
        <source>The pool holds no request of max model len {max_model_len_tokens}: the engine starts all the same and cuts the length to {longest_tokens}, with a warning in its log only.</source>
        <translation>池放不下一条长度为最大模型长度 {max_model_len_tokens} 的请求：引擎照常启动，把长度截到 {longest_tokens}，只在日志里给出警告。</translation>
    </message>
    <message>
        <source>The pool holds no request of max model len {max_model_len_tokens}: the engine starts all the same, cuts the length to {longest_tokens} and refuses longer requests, of which the workload has some, up to {context_tokens}.</source>
        <translation>池放不下一条长度为最大模型长度 {max_model_len_tokens} 的请求：引擎照常启动，把长度截到 {longest_tokens}，并拒绝更长的请求；此负载中有这样的请求，最长 {context_tokens}。</translation>
    </message>
    <message>
        <source>The pool of {pool_bytes} is a small difference of large figures: it may be anything from {low_bytes} to {high_bytes}. A start-up log would settle it.</source>
        <translation>{pool_bytes} 的池是几个大数值之间的微小差额：可能在 {low_bytes} 到 {high_bytes} 之间。启动日志可以确定它。</translation>
    </message>
    <message>
        <source>The prefix cache pins {prefix_bytes}, {cache_share} of the whole cache.</source>
        <translation>前缀缓存固定占用 {prefix_bytes}，占整个缓存的 {cache_share}。</translation>
    </message>
    <message>
        <source>The preset does not say where its figures come from.</source>
        <translation>预设没有说明数据来源。</translation>
    </message>
    <message>
        <source>The process that makes the file cannot be started ({reason}): close other programs, then export again.</source>
        <translation>无法启动生成文件的进程（{reason}）：请关闭其他程序后再导出。</translation>
    </message>
    <message>
        <source>The process that makes the file was ended from outside (signal {signal}): nothing was written; close other programs, then export again.</source>
        <translation>生成文件的进程被外部终止（信号 {signal}）：未写入任何内容；请关闭其他程序后再导出。</translation>
    </message>
    <message>
        <source>The published checkpoint is in the format “{text}”, of no preset.</source>
        <translation>公布的检查点采用“{text}”格式，没有对应的预设。</translation>
    </message>
    <message>
        <source>The requests need {over_bytes} more on each card; {held} of this length fit with the headroom of {kept_bytes}.</source>
        <translation>这些请求每卡还需要 {over_bytes}；留出 {kept_bytes} 余量时，这一长度放得下 {held} 个。</translation>
    </message>
    <message>
        <source>The requests need {over_bytes} more on each card; {held} of this length fit.</source>
        <translation>这些请求每卡还需要 {over_bytes}；这一长度放得下 {held} 个。</translation>
    </message>
    <message>
        <source>The set holds another card “{text}” than the preset of that name.</source>
        <translation>套件中的显卡“{text}”与同名预设不同。</translation>
    </message>
    <message>
        <source>The settings could not be read; the defaults are used.</source>
        <translation>无法读取设置；使用默认值。</translation>
    </message>
    <message>
        <source>The shared prefix of {prefix_tokens} is not shorter than a request of {context_tokens} tokens; only whole blocks before its last token are shared.</source>
        <translation>共享前缀 {prefix_tokens} 不短于 {context_tokens} 个 token 的请求；只有最后一个 token 之前的整块可共享。</translation>
    </message>
    <message>
        <source>The shared prefixes alone pin {prefix_bytes}, {over_bytes} too much: fewer distinct prefixes or shorter ones.</source>
        <translation>仅共享前缀就固定占用 {prefix_bytes}，超出 {over_bytes}：请减少不同前缀或缩短前缀。</translation>
    </message>
    <message>
        <source>The slots have the cells of their whole context from the start, each its own or all in one pool; what is left of the card serves nobody.</source>
        <translation>各槽位从启动起就占有完整上下文的单元，各自独立或共用一个池；卡上剩余的显存不服务任何请求。</translation>
    </message>
    <message>
        <source>The source of {release} was not read: it follows {rules} and the changes since whose date is known.</source>
        <translation>未读过 {release} 的源代码：它遵循 {rules} 的规则，以及此后日期明确的改动。</translation>
    </message>
    <message>
        <source>The standard output is closed: accepted is the name of a file instead of -.</source>
        <translation>标准输出已关闭：请给出文件名代替 -。</translation>
    </message>
    <message>
        <source>The system limits the size of files. {path} is as it was; save to another place.</source>
        <translation>系统限制了文件大小。{path} 保持原样；请保存到别处。</translation>
    </message>
    <message>
        <source>The tensors count {found} parameters, published are {published}.</source>
        <translation>张量共 {found} 个参数，公布值为 {published}。</translation>
    </message>
    <message>
        <source>The text of this record was changed after it was written; the plan and the answers inside were not</source>
        <translation>此记录的文字在写成之后被改动过；其中的计划和答案没有改动</translation>
    </message>
    <message>
        <source>The total {total_bytes} is the {name_gb} GB of the card&apos;s name; the runtime reports less.</source>
        <translation>总量 {total_bytes} 是显卡名称中的 {name_gb} GB；运行时报告的更少。</translation>
    </message>
    <message>
        <source>The unit {unit} in {text} is not known here: type {accepted}.</source>
        <translation>{text} 中的单位 {unit} 无法识别：请输入{accepted}。</translation>
    </message>
    <message>
        <source>The weights leave nothing of the static fraction {fraction_share}: raise it above {least_share}, or take more GPUs.</source>
        <translation>权重用尽了静态份额 {fraction_share}：请将其提高到 {least_share} 以上，或增加显卡。</translation>
    </message>
    <message>
        <source>The whole card less weights and the two reserves is the pool, in whole blocks.</source>
        <translation>整卡减去权重和两项预留即为 KV 池，按整块计。</translation>
    </message>
    <message>
        <source>The workload does not say how much of a request is output: whether requests outgrow the pool while they decode, so that the engine preempts, is open.</source>
        <translation>负载没有说明请求中输出占多少：请求在解码时是否会超出缓存池而使引擎抢占，尚不确定。</translation>
    </message>
    <message>
        <source>There is no folder for your own presets.</source>
        <translation>没有存放自有预设的文件夹。</translation>
    </message>
    <message>
        <source>This file carries the whole plan and these answers: KV Workbench opens it, and `kvw check` tells whether presets, engine rules or answers have changed since.</source>
        <translation>此文件带有完整的计划和这些答案：KV Workbench 可以打开它，`kvw check` 会说明此后预设、引擎规则或答案是否已改变。</translation>
    </message>
    <message>
        <source>This record says how much memory the planned service takes, what it can hold, and where every figure comes from. Beside each figure stands its evidence: given, computed, fitted, assumed or measured.</source>
        <translation>本记录说明所规划的服务占用多少显存、能容纳多少请求，以及每个数字的来源。每个数字旁注明依据：给定、计算、拟合、假设或实测。</translation>
    </message>
    <message>
        <source>This scenario has no two inputs that a map could vary.</source>
        <translation>此方案没有可供热力图变化的两个输入。</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>紧张</translation>
    </message>
    <message>
        <source>Tight: {left_bytes} left per GPU, inside the headroom to keep · {held} requests of {context_tokens} tokens</source>
        <translation>紧张：每卡剩余 {left_bytes}，已占用应保留的余量 · {held} 个 {context_tokens} token 的请求</translation>
    </message>
    <message>
        <source>To change</source>
        <translation>可修改</translation>
    </message>
    <message>
        <source>Tokens a request</source>
        <translation>每请求 token 数</translation>
    </message>
    <message>
        <source>Tokens a request holds at its end: prompt and output.</source>
        <translation>请求结束时占用的 token 数：提示词加输出。</translation>
    </message>
    <message>
        <source>Tokens in one block of the KV pool.</source>
        <translation>KV 池一块中的 token 数。</translation>
    </message>
    <message>
        <source>Tokens of a prompt processed in one step; -1 does not cut prompts.</source>
        <translation>一步处理的提示词 token 数；-1 表示不切分。</translation>
    </message>
    <message>
        <source>Tokens of all slots together.</source>
        <translation>所有槽位合计的 token 数。</translation>
    </message>
    <message>
        <source>Tokens of the pool</source>
        <translation>缓存池的 token 数</translation>
    </message>
    <message>
        <source>Tokens of the window pool for each token of the full one.</source>
        <translation>窗口池 token 与完整池 token 之比。</translation>
    </message>
    <message>
        <source>Tokens that a draft proposes in a step; 0: no draft.</source>
        <translation>草稿模型每步提出的 token 数；0：没有草稿模型。</translation>
    </message>
    <message>
        <source>Tokens that each slot adds to one pool, and its own limit.</source>
        <translation>每个槽位为统一池增加的 token 数，也是其上限。</translation>
    </message>
    <message>
        <source>Tokens that requests share at their beginning; empty: nothing is shared.</source>
        <translation>请求开头共享的 token 数；留空：没有共享。</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Total: budget of the engine</source>
        <translation>合计：引擎的预算</translation>
    </message>
    <message>
        <source>Total: card</source>
        <translation>合计：显卡</translation>
    </message>
    <message>
        <source>Total: entries of the budget</source>
        <translation>合计：预算内的条目</translation>
    </message>
    <message>
        <source>Triton kernel</source>
        <translation>Triton 内核</translation>
    </message>
    <message>
        <source>TurboQuant 3 bit</source>
        <translation>TurboQuant 3 位</translation>
    </message>
    <message>
        <source>TurboQuant 3-bit keys, 4-bit values</source>
        <translation>TurboQuant 键 3 位、值 4 位</translation>
    </message>
    <message>
        <source>TurboQuant 4 bit keys and values</source>
        <translation>TurboQuant 键和值 4 位</translation>
    </message>
    <message>
        <source>TurboQuant in LMDeploy: K 4 bit, V 2 bit</source>
        <translation>LMDeploy 的 TurboQuant：K 4 位、V 2 位</translation>
    </message>
    <message>
        <source>TurboQuant k8v4: FP8 keys, 4-bit values</source>
        <translation>TurboQuant k8v4：键 FP8、值 4 位</translation>
    </message>
    <message>
        <source>Type a value: this cannot be empty.</source>
        <translation>请输入数值：此处不能为空。</translation>
    </message>
    <message>
        <source>Type {accepted}.</source>
        <translation>请输入{accepted}。</translation>
    </message>
    <message>
        <source>UltraQuant 4 bit</source>
        <translation>UltraQuant 4 位</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Used per GPU</source>
        <translation>每卡已用</translation>
    </message>
    <message>
        <source>Used per GPU, change</source>
        <translation>每卡已用的变化</translation>
    </message>
    <message>
        <source>Used, per GPU</source>
        <translation>已用，每卡</translation>
    </message>
    <message>
        <source>V0</source>
        <translation>V0</translation>
    </message>
    <message>
        <source>V0 or V1; releases 0.8 to 0.10 have both.</source>
        <translation>V0 或 V1；0.8 至 0.10 版本两者都有。</translation>
    </message>
    <message>
        <source>V0 with TP 2, 0.30 to 3.58 GiB (vllm.md §10)</source>
        <translation>V0、TP 2，0.30 到 3.58 GiB（vllm.md §10）</translation>
    </message>
    <message>
        <source>V1</source>
        <translation>V1</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Values in {format} need flash attention: turn it on, or keep the values in 16 bits.</source>
        <translation>{format} 的值需要 Flash Attention：请打开它，或让值保持 16 位。</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Weight formats</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Weights of each rank kept in host memory.</source>
        <translation>每个 rank 存放在主机内存中的权重。</translation>
    </message>
    <message>
        <source>Weights of the whole model in bytes; empty takes the model&apos;s tensors.</source>
        <translation>整个模型的权重字节数；留空取模型的张量。</translation>
    </message>
    <message>
        <source>Weights of {weights_bytes} and the reserves exceed the {budget_bytes} to be used; no TP up to 64 and no 8-bit format makes it fit: take a larger card, more stages or a smaller model.</source>
        <translation>权重 {weights_bytes} 加预留超过可用的 {budget_bytes}；64 以内的 TP 和 8 位格式都放不下：请换更大的显卡、增加阶段或选更小的模型。</translation>
    </message>
    <message>
        <source>Weights of {weights_bytes} and the reserves exceed the {budget_bytes} to be used; with 8-bit weights it fits.</source>
        <translation>权重 {weights_bytes} 加预留超过可用的 {budget_bytes}；采用 8 位权重放得下。</translation>
    </message>
    <message>
        <source>Weights of {weights_bytes} and the reserves exceed the {budget_bytes} to be used; with TP {tp} it fits.</source>
        <translation>权重 {weights_bytes} 加预留超过可用的 {budget_bytes}；TP {tp} 时放得下。</translation>
    </message>
    <message>
        <source>What is assumed or fitted</source>
        <translation>假设或拟合的内容</translation>
    </message>
    <message>
        <source>What is free after the weights, less a share of what was free before them, is the pool; activations, graphs and tables have to fit in that share.</source>
        <translation>加载权重后的空闲显存，减去加载前空闲显存的一定比例，即为 KV 池；激活、CUDA 图和各种表必须放进这一比例之内。</translation>
    </message>
    <message>
        <source>What is in use before the start may leave less free than is asked for: the engine may refuse to start. Lower the GPU memory utilization.</source>
        <translation>启动前的占用可能使空闲显存少于申请量：引擎可能拒绝启动。请降低显存利用率。</translation>
    </message>
    <message>
        <source>What is planned</source>
        <translation>规划内容</translation>
    </message>
    <message>
        <source>What it holds</source>
        <translation>可容纳的量</translation>
    </message>
    <message>
        <source>What the chart draws, {unit}</source>
        <translation>图中所示，{unit}</translation>
    </message>
    <message>
        <source>What this engine does with requests beyond that is not modelled: whether it makes them wait, preempts or refuses them has to be read in its documentation.</source>
        <translation>此引擎如何处理超出部分的请求未建模：是让其等待、抢占还是拒绝，须查阅其文档。</translation>
    </message>
    <message>
        <source>When it is exceeded</source>
        <translation>超出时</translation>
    </message>
    <message>
        <source>Where the measured figures were read.</source>
        <translation>实测数值的出处。</translation>
    </message>
    <message>
        <source>Whose arithmetic the ledger follows.</source>
        <translation>账本遵循哪个引擎的算法。</translation>
    </message>
    <message>
        <source>With less left than this a scenario is called tight; empty takes the headroom.</source>
        <translation>剩余少于此值时方案视为紧张；留空取余量。</translation>
    </message>
    <message>
        <source>With numbers</source>
        <translation>代入数字</translation>
    </message>
    <message>
        <source>With one request at a time nobody shares the prefix.</source>
        <translation>一次只有一个请求时，前缀没有共享者。</translation>
    </message>
    <message>
        <source>Without chunked prefill a step must take a whole request: raise max batched tokens from {batch_tokens} to {limit_tokens}, or turn chunked prefill on.</source>
        <translation>不使用分块预填充时，一步必须处理整个请求：请将最大批处理 token 数从 {batch_tokens} 提高到 {limit_tokens}，或开启分块预填充。</translation>
    </message>
    <message>
        <source>Without chunked prefill a step takes a whole prompt: of requests up to {context_tokens}, those whose prompt exceeds {batch_tokens} are refused. Raise max batched tokens or turn chunked prefill on.</source>
        <translation>未开启分块预填充时，一步要处理整条提示词：长度至多 {context_tokens} 的请求中，提示词超过 {batch_tokens} 的会被拒绝。请提高每步最大 token 数，或开启分块预填充。</translation>
    </message>
    <message>
        <source>Without chunked prefill a step takes a whole prompt: one of {prompt_tokens} exceeds max batched tokens {batch_tokens} and is refused.</source>
        <translation>未开启分块预填充时，一步要处理整条提示词：{prompt_tokens} 的提示词超过每步最大 token 数 {batch_tokens}，会被拒绝。</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>YaRN extends the original length</source>
        <translation>YaRN 扩展原始长度</translation>
    </message>
    <message>
        <source>You have a preset {reference} already, with other figures; keep both, or replace yours.</source>
        <translation>已有预设 {reference}，但数值不同；可两者都保留，或替换自有的。</translation>
    </message>
    <message>
        <source>You have this preset already: {reference}.</source>
        <translation>已有此预设：{reference}。</translation>
    </message>
    <message>
        <source>You may not read {path}; change its permissions or choose another.</source>
        <translation>没有读取 {path} 的权限；请更改权限或另选文件。</translation>
    </message>
    <message>
        <source>Your disk quota is used up. {path} is as it was; save to another place.</source>
        <translation>磁盘配额已用完。{path} 保持原样；请保存到别处。</translation>
    </message>
    <message>
        <source>a chunk through the widest layer</source>
        <translation>一个预填充块经过最宽的层</translation>
    </message>
    <message>
        <source>a list in [ ]</source>
        <translation>[ ] 中的列表</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a number such as 2.5</source>
        <translation>数字，例如 2.5</translation>
    </message>
    <message>
        <source>a refusal names the longest length that fits</source>
        <translation>拒绝时指出放得下的最大长度</translation>
    </message>
    <message>
        <source>a share such as 0.9 or 90 %</source>
        <translation>比例，例如 0.9 或 90 %</translation>
    </message>
    <message>
        <source>a slightly larger kind sets the group size</source>
        <translation>略大的一类决定组的大小</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>引号中的文本</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a whole number such as 16 or 2k</source>
        <translation>整数，例如 16 或 2k</translation>
    </message>
    <message>
        <source>absorbed query and result of a head</source>
        <translation>一个头的吸收查询与结果</translation>
    </message>
    <message>
        <source>activation reserve</source>
        <translation>激活预留</translation>
    </message>
    <message>
        <source>activation type</source>
        <translation>激活类型</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>activations, measured</source>
        <translation>激活，实测</translation>
    </message>
    <message>
        <source>activations: the model&apos;s widths or the release are not known</source>
        <translation>激活：模型宽度或版本未知</translation>
    </message>
    <message>
        <source>active parameters</source>
        <translation>激活参数量</translation>
    </message>
    <message>
        <source>admitted together</source>
        <translation>可同时准入</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>alignment of allocations</source>
        <translation>分配对齐</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>all backends</source>
        <translation>所有后端</translation>
    </message>
    <message>
        <source>all changes together</source>
        <translation>全部改动合计</translation>
    </message>
    <message>
        <source>all weights on one rank</source>
        <translation>放在一张卡上的全部权重</translation>
    </message>
    <message>
        <source>all-reduce buffer</source>
        <translation>all-reduce 缓冲区</translation>
    </message>
    <message>
        <source>an average</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>an object in { }</source>
        <translation>{ } 中的对象</translation>
    </message>
    <message>
        <source>an object with a known &quot;kind&quot;</source>
        <translation>带有已知 &quot;kind&quot; 的对象</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>answer after the step</source>
        <translation>步骤后的结果</translation>
    </message>
    <message>
        <source>answer before the step</source>
        <translation>步骤前的结果</translation>
    </message>
    <message>
        <source>architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>arrivals a second</source>
        <translation>每秒到达数</translation>
    </message>
    <message>
        <source>as expected</source>
        <translation>符合预期</translation>
    </message>
    <message>
        <source>as from 0.18 on</source>
        <translation>同 0.18 起</translation>
    </message>
    <message>
        <source>as much as the host needs: no size is given</source>
        <translation>按主机所需：未给出大小</translation>
    </message>
    <message>
        <source>as the layer before</source>
        <translation>同前一层</translation>
    </message>
    <message>
        <source>as up to 0.17</source>
        <translation>同 0.17 及以前</translation>
    </message>
    <message>
        <source>as vLLM&apos;s logs of the same cards show</source>
        <translation>参照 vLLM 在同类显卡上的日志</translation>
    </message>
    <message>
        <source>asked for by the engine</source>
        <translation>引擎申请量</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>assumed values</source>
        <translation>假设值</translation>
    </message>
    <message>
        <source>assumed values shared by all</source>
        <translation>共同的假设值</translation>
    </message>
    <message>
        <source>async scheduling</source>
        <translation>异步调度</translation>
    </message>
    <message>
        <source>async scheduling by default</source>
        <translation>默认异步调度</translation>
    </message>
    <message>
        <source>at most {high_bytes}</source>
        <translation>至多 {high_bytes}</translation>
    </message>
    <message>
        <source>at risk</source>
        <translation>风险容量</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>attention DP</source>
        <translation>注意力 DP</translation>
    </message>
    <message>
        <source>attention and state</source>
        <translation>注意力与状态</translation>
    </message>
    <message>
        <source>attention at TP</source>
        <translation>按 TP 切分的注意力</translation>
    </message>
    <message>
        <source>attention backend</source>
        <translation>注意力后端</translation>
    </message>
    <message>
        <source>attention of a group</source>
        <translation>一组的注意力</translation>
    </message>
    <message>
        <source>attention window</source>
        <translation>注意力窗口</translation>
    </message>
    <message>
        <source>attention windows</source>
        <translation>注意力窗口</translation>
    </message>
    <message>
        <source>audio tower</source>
        <translation>音频塔</translation>
    </message>
    <message>
        <source>audio tower, outside its layers</source>
        <translation>音频塔，层以外</translation>
    </message>
    <message>
        <source>axis shared out</source>
        <translation>切分轴</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>base</source>
        <translation>底</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>basis of the total</source>
        <translation>总量的依据</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>batch limits by card</source>
        <translation>按显卡的批次限制</translation>
    </message>
    <message>
        <source>beam width</source>
        <translation>束宽</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>better</source>
        <translation>变好</translation>
    </message>
    <message>
        <source>between one rank and eight</source>
        <translation>介于单卡与八卡之间</translation>
    </message>
    <message>
        <source>between the releases around it</source>
        <translation>介于前后两个版本之间</translation>
    </message>
    <message>
        <source>beyond the place outside the budget</source>
        <translation>超出预算外的空间</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>位</translation>
    </message>
    <message>
        <source>bits an element, scales included</source>
        <translation>每元素位数，含缩放系数</translation>
    </message>
    <message>
        <source>bits of all else</source>
        <translation>其余的位数</translation>
    </message>
    <message>
        <source>bits of keys</source>
        <translation>键的位数</translation>
    </message>
    <message>
        <source>bits of values</source>
        <translation>值的位数</translation>
    </message>
    <message>
        <source>bits per element</source>
        <translation>每元素位数</translation>
    </message>
    <message>
        <source>bitsandbytes NF4, block 64, double quantised</source>
        <translation>bitsandbytes NF4，每块 64，二次量化</translation>
    </message>
    <message>
        <source>block size</source>
        <translation>块大小</translation>
    </message>
    <message>
        <source>block size of latent attention</source>
        <translation>潜在注意力的块大小</translation>
    </message>
    <message>
        <source>block size with recurrent layers</source>
        <translation>含循环层时的块大小</translation>
    </message>
    <message>
        <source>block size {value}</source>
        <translation>块大小 {value}</translation>
    </message>
    <message>
        <source>block table</source>
        <translation>块表</translation>
    </message>
    <message>
        <source>block tables: their bytes are shown, the budget is not charged</source>
        <translation>块表：显示其字节数，但不计入预算</translation>
    </message>
    <message>
        <source>block types of the file type, layer by layer</source>
        <translation>文件类型逐层的块类型</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>blocks for requests</source>
        <translation>供请求使用的块</translation>
    </message>
    <message>
        <source>blocks free to be admitted</source>
        <translation>准入所需空闲块</translation>
    </message>
    <message>
        <source>blocks held after the prompt</source>
        <translation>提示词之后占用的块</translation>
    </message>
    <message>
        <source>blocks held at most</source>
        <translation>最多占用的块</translation>
    </message>
    <message>
        <source>blocks held at the end</source>
        <translation>结束时占用的块</translation>
    </message>
    <message>
        <source>blocks left to the engine</source>
        <translation>块数由引擎决定</translation>
    </message>
    <message>
        <source>blocks of a rank</source>
        <translation>一张卡的块数</translation>
    </message>
    <message>
        <source>blocks of a request</source>
        <translation>请求的块数</translation>
    </message>
    <message>
        <source>blocks of all prefixes</source>
        <translation>所有前缀的块数</translation>
    </message>
    <message>
        <source>blocks of the batch in flight</source>
        <translation>在途批次的块数</translation>
    </message>
    <message>
        <source>blocks of the longest request</source>
        <translation>最长请求的块数</translation>
    </message>
    <message>
        <source>blocks of the pool</source>
        <translation>池的块数</translation>
    </message>
    <message>
        <source>blocks of the watermark</source>
        <translation>水位线的块</translation>
    </message>
    <message>
        <source>blocks override</source>
        <translation>指定块数</translation>
    </message>
    <message>
        <source>blocks that must be free to admit a request</source>
        <translation>准入请求须空闲的块数</translation>
    </message>
    <message>
        <source>blocks that the engine hands out</source>
        <translation>引擎可分给请求的块</translation>
    </message>
    <message>
        <source>blocks that there is room for</source>
        <translation>显存容得下的块</translation>
    </message>
    <message>
        <source>buffers between stages</source>
        <translation>阶段之间的缓冲区</translation>
    </message>
    <message>
        <source>builtin:ID@1 or user:ID@1</source>
        <translation>builtin:ID@1 或 user:ID@1</translation>
    </message>
    <message>
        <source>burstiness</source>
        <translation>突发性</translation>
    </message>
    <message>
        <source>bus to the host</source>
        <translation>主机总线</translation>
    </message>
    <message>
        <source>by caching mode</source>
        <translation>按缓存模式</translation>
    </message>
    <message>
        <source>by caching mode, checkpoint</source>
        <translation>按缓存模式，检查点</translation>
    </message>
    <message>
        <source>bytes a block</source>
        <translation>每块字节数</translation>
    </message>
    <message>
        <source>bytes for the pool</source>
        <translation>池可用的字节</translation>
    </message>
    <message>
        <source>bytes of a block</source>
        <translation>一块的字节数</translation>
    </message>
    <message>
        <source>bytes of a cell</source>
        <translation>一个单元的字节</translation>
    </message>
    <message>
        <source>bytes of a draft layer</source>
        <translation>草稿层的字节数</translation>
    </message>
    <message>
        <source>bytes of a head&apos;s key and value</source>
        <translation>一个头的键与值的字节数</translation>
    </message>
    <message>
        <source>bytes of a latent row</source>
        <translation>潜在行的字节数</translation>
    </message>
    <message>
        <source>bytes of a layer</source>
        <translation>一层的字节数</translation>
    </message>
    <message>
        <source>bytes of a layer&apos;s state</source>
        <translation>一层状态的字节数</translation>
    </message>
    <message>
        <source>bytes of a logit</source>
        <translation>一个 logit 的字节数</translation>
    </message>
    <message>
        <source>bytes of a prompt mask</source>
        <translation>提示词掩码的字节数</translation>
    </message>
    <message>
        <source>bytes of a state slot</source>
        <translation>一个状态槽位的字节</translation>
    </message>
    <message>
        <source>bytes of a token as stored</source>
        <translation>每 token 的实存字节</translation>
    </message>
    <message>
        <source>bytes of a token count</source>
        <translation>token 计数的字节数</translation>
    </message>
    <message>
        <source>bytes of a token in a layer</source>
        <translation>一层中一个 token 的字节数</translation>
    </message>
    <message>
        <source>bytes of a token in all layers</source>
        <translation>一个 token 在所有层的字节数</translation>
    </message>
    <message>
        <source>bytes of a token not charged</source>
        <translation>每 token 未计入的字节</translation>
    </message>
    <message>
        <source>bytes of a token, charged</source>
        <translation>每 token 计入的字节</translation>
    </message>
    <message>
        <source>bytes of a token, draft</source>
        <translation>每 token 的字节，草稿</translation>
    </message>
    <message>
        <source>bytes of a token, full layers</source>
        <translation>每 token 的字节，全量层</translation>
    </message>
    <message>
        <source>bytes of a token, window layers</source>
        <translation>每 token 的字节，窗口层</translation>
    </message>
    <message>
        <source>bytes of a vision layer</source>
        <translation>视觉层的字节数</translation>
    </message>
    <message>
        <source>bytes of an audio layer</source>
        <translation>音频层的字节数</translation>
    </message>
    <message>
        <source>bytes of an entry</source>
        <translation>条目的字节数</translation>
    </message>
    <message>
        <source>bytes of an outer scale</source>
        <translation>外层缩放系数的字节数</translation>
    </message>
    <message>
        <source>bytes of the blocks</source>
        <translation>块的字节数</translation>
    </message>
    <message>
        <source>bytes of the log</source>
        <translation>日志中的字节</translation>
    </message>
    <message>
        <source>bytes per element</source>
        <translation>每元素字节数</translation>
    </message>
    <message>
        <source>bytes per token</source>
        <translation>每个完整 token 的字节</translation>
    </message>
    <message>
        <source>bytes such as 2 GiB or a share such as 5 %</source>
        <translation>字节数 (例如 2 GiB) 或比例 (例如 5 %)</translation>
    </message>
    <message>
        <source>bytes such as 80 GiB, 80 GB or 81559 MiB</source>
        <translation>字节数，例如 80 GiB、80 GB 或 81559 MiB</translation>
    </message>
    <message>
        <source>cache of a layer, copied to the card</source>
        <translation>一层的缓存，复制到卡上</translation>
    </message>
    <message>
        <source>cache on GPU</source>
        <translation>缓存在 GPU</translation>
    </message>
    <message>
        <source>cache type K</source>
        <translation>K 缓存类型</translation>
    </message>
    <message>
        <source>cache type V</source>
        <translation>V 缓存类型</translation>
    </message>
    <message>
        <source>card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>card profile</source>
        <translation>显卡配置</translation>
    </message>
    <message>
        <source>card profile: {detail}</source>
        <translation>显卡配置：{detail}</translation>
    </message>
    <message>
        <source>card total</source>
        <translation>显存总量</translation>
    </message>
    <message>
        <source>cards</source>
        <translation>显卡数</translation>
    </message>
    <message>
        <source>cards whose batch limits may differ</source>
        <translation>批次限制可能不同的显卡</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>cells of a window</source>
        <translation>一个窗口的单元</translation>
    </message>
    <message>
        <source>cells of all masks</source>
        <translation>所有掩码的单元</translation>
    </message>
    <message>
        <source>cells of the window</source>
        <translation>窗口的单元</translation>
    </message>
    <message>
        <source>cells per slot</source>
        <translation>每槽统一单元数</translation>
    </message>
    <message>
        <source>cells times tokens of the log</source>
        <translation>日志的单元数 × token 数</translation>
    </message>
    <message>
        <source>charged</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>checked</source>
        <translation>已核对</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>chunk of the state kernels</source>
        <translation>状态内核的分块</translation>
    </message>
    <message>
        <source>chunked</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>chunked attention</source>
        <translation>分块注意力</translation>
    </message>
    <message>
        <source>chunked layers keep groups by default</source>
        <translation>分块层默认保留分组</translation>
    </message>
    <message>
        <source>chunked prefill</source>
        <translation>分块预填充</translation>
    </message>
    <message>
        <source>chunked prefill by default</source>
        <translation>默认分块预填充</translation>
    </message>
    <message>
        <source>chunked prefill from this length on</source>
        <translation>从此长度起分块预填充</translation>
    </message>
    <message>
        <source>columns of a tile</source>
        <translation>分片的列数</translation>
    </message>
    <message>
        <source>compressed</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>compressed attention</source>
        <translation>压缩注意力</translation>
    </message>
    <message>
        <source>compressed-tensors W4A16, group 128 (symmetric)</source>
        <translation>compressed-tensors W4A16，每组 128（对称）</translation>
    </message>
    <message>
        <source>compressed-tensors pack INT4, group 32 (Kimi K2 Thinking, K2.5, K2.6)</source>
        <translation>compressed-tensors 打包 INT4，每组 32（Kimi K2 Thinking、K2.5、K2.6）</translation>
    </message>
    <message>
        <source>compute capability</source>
        <translation>计算能力</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>concurrency</source>
        <translation>并发</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>context ≤ {context_tokens}</source>
        <translation>上下文 ≤ {context_tokens}</translation>
    </message>
    <message>
        <source>context, all slots</source>
        <translation>上下文，所有槽位</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>convolution states of a KDA layer</source>
        <translation>KDA 层的卷积状态</translation>
    </message>
    <message>
        <source>convolution states that hold draft tokens</source>
        <translation>容纳草稿 token 的卷积状态</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>copies of the inputs</source>
        <translation>输入的份数</translation>
    </message>
    <message>
        <source>copies of the model</source>
        <translation>模型份数</translation>
    </message>
    <message>
        <source>core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>counted: each stands beside it</source>
        <translation>计数：各项列在旁边</translation>
    </message>
    <message>
        <source>cross attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>decided by {binding}</source>
        <translation>决定因素：{binding}</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>default block size</source>
        <translation>默认块大小</translation>
    </message>
    <message>
        <source>default of GPU memory utilization</source>
        <translation>显存利用率的默认值</translation>
    </message>
    <message>
        <source>default of {detail}</source>
        <translation>{detail} 的默认值</translation>
    </message>
    <message>
        <source>default of {detail}, assumed</source>
        <translation>{detail} 的默认值，假设</translation>
    </message>
    <message>
        <source>default {value}</source>
        <translation>默认 {value}</translation>
    </message>
    <message>
        <source>definition of the unit</source>
        <translation>单位定义</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>稠密</translation>
    </message>
    <message>
        <source>dense and experts</source>
        <translation>稠密与专家</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差额</translation>
    </message>
    <message>
        <source>different prefixes</source>
        <translation>不同前缀</translation>
    </message>
    <message>
        <source>distinct prefixes</source>
        <translation>不同前缀数</translation>
    </message>
    <message>
        <source>does not follow changes</source>
        <translation>不随改动更新</translation>
    </message>
    <message>
        <source>down</source>
        <translation>向下</translation>
    </message>
    <message>
        <source>draft algorithm</source>
        <translation>草稿算法</translation>
    </message>
    <message>
        <source>draft layers</source>
        <translation>草稿层数</translation>
    </message>
    <message>
        <source>draft model: this model has no draft module on record</source>
        <translation>草稿模型：此模型没有草稿模块的记录</translation>
    </message>
    <message>
        <source>draft module</source>
        <translation>草稿模块</translation>
    </message>
    <message>
        <source>draft module, outside its layers</source>
        <translation>草稿模块，层以外</translation>
    </message>
    <message>
        <source>draft steps</source>
        <translation>草稿步数</translation>
    </message>
    <message>
        <source>draft tokens</source>
        <translation>草稿 token</translation>
    </message>
    <message>
        <source>draft top-k</source>
        <translation>草稿 top-k</translation>
    </message>
    <message>
        <source>draft&apos;s cache, not charged</source>
        <translation>草稿缓存，未计入</translation>
    </message>
    <message>
        <source>drawn with</source>
        <translation>取用长度</translation>
    </message>
    <message>
        <source>driver context</source>
        <translation>驱动上下文</translation>
    </message>
    <message>
        <source>driver&apos;s tool reports</source>
        <translation>驱动工具报告</translation>
    </message>
    <message>
        <source>drop of free memory</source>
        <translation>空闲显存的减少量</translation>
    </message>
    <message>
        <source>drops zeros</source>
        <translation>去掉零</translation>
    </message>
    <message>
        <source>each running batch</source>
        <translation>每个运行中的批次</translation>
    </message>
    <message>
        <source>each stage has its own number of blocks</source>
        <translation>每个阶段有自己的块数</translation>
    </message>
    <message>
        <source>eager mode</source>
        <translation>eager 模式</translation>
    </message>
    <message>
        <source>eager mode: nothing is captured</source>
        <translation>eager 模式：不捕获图</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>elements a block</source>
        <translation>每块元素数</translation>
    </message>
    <message>
        <source>elements a group</source>
        <translation>每组元素数</translation>
    </message>
    <message>
        <source>elements of a group</source>
        <translation>一组的元素数</translation>
    </message>
    <message>
        <source>elements that a latent row is rounded to</source>
        <translation>潜在行取整的元素数</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>empty share</source>
        <translation>空置比例</translation>
    </message>
    <message>
        <source>empty share of what is reserved</source>
        <translation>预留中的空置比例</translation>
    </message>
    <message>
        <source>empty slots and padding</source>
        <translation>空槽位与填充</translation>
    </message>
    <message>
        <source>empty slots of the last block</source>
        <translation>末块的空槽位</translation>
    </message>
    <message>
        <source>encoder length</source>
        <translation>编码器长度</translation>
    </message>
    <message>
        <source>engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>engine core</source>
        <translation>引擎核心</translation>
    </message>
    <message>
        <source>engine log</source>
        <translation>引擎日志</translation>
    </message>
    <message>
        <source>engines</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>entry of a block table</source>
        <translation>块表的一项</translation>
    </message>
    <message>
        <source>equal head sizes</source>
        <translation>头维度相同</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>estimate of the CUDA graphs</source>
        <translation>CUDA 图的估算</translation>
    </message>
    <message>
        <source>even stages</source>
        <translation>均分阶段</translation>
    </message>
    <message>
        <source>eviction and preemption</source>
        <translation>驱逐与抢占</translation>
    </message>
    <message>
        <source>exactly {value}</source>
        <translation>恰好 {value}</translation>
    </message>
    <message>
        <source>expected ratio</source>
        <translation>预期比值</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>experts a token</source>
        <translation>每 token 专家数</translation>
    </message>
    <message>
        <source>experts of a layer, copied to the card</source>
        <translation>一层的专家，复制到卡上</translation>
    </message>
    <message>
        <source>experts per token</source>
        <translation>每 token 专家数</translation>
    </message>
    <message>
        <source>extra state buffer</source>
        <translation>额外状态缓冲</translation>
    </message>
    <message>
        <source>extrapolated from 0.19</source>
        <translation>由 0.19 外推</translation>
    </message>
    <message>
        <source>extrapolated from 0.31 alone</source>
        <translation>仅由 0.31 外推</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>fail fast</source>
        <translation>宁拒绝不截短</translation>
    </message>
    <message>
        <source>family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>feed-forward width</source>
        <translation>前馈宽度</translation>
    </message>
    <message>
        <source>fields folded away</source>
        <translation>折叠的字段</translation>
    </message>
    <message>
        <source>figures fitted to releases from</source>
        <translation>数值所拟合的起始版本</translation>
    </message>
    <message>
        <source>figures of a start-up log</source>
        <translation>启动日志中的数值</translation>
    </message>
    <message>
        <source>file {detail}</source>
        <translation>文件 {detail}</translation>
    </message>
    <message>
        <source>filled share of a block</source>
        <translation>一块的填充率</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>first answer</source>
        <translation>起始结果</translation>
    </message>
    <message>
        <source>first backend</source>
        <translation>首个后端</translation>
    </message>
    <message>
        <source>first chunk</source>
        <translation>首个分块</translation>
    </message>
    <message>
        <source>fit margin</source>
        <translation>适配余量</translation>
    </message>
    <message>
        <source>fit max model len</source>
        <translation>自适应最大模型长度</translation>
    </message>
    <message>
        <source>fit to memory</source>
        <translation>自动适配显存</translation>
    </message>
    <message>
        <source>fit to start-up logs, {detail}</source>
        <translation>拟合自启动日志，{detail}</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>fitted context</source>
        <translation>适配的最短上下文</translation>
    </message>
    <message>
        <source>fitted: {count}</source>
        <translation>拟合值：{count}</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>fixed part of the sampler</source>
        <translation>采样器的固定部分</translation>
    </message>
    <message>
        <source>flash attention</source>
        <translation>flash attention</translation>
    </message>
    <message>
        <source>found by trying: does not follow changes</source>
        <translation>由试算得出：不随改动更新</translation>
    </message>
    <message>
        <source>founding note {detail}</source>
        <translation>依据说明 {detail}</translation>
    </message>
    <message>
        <source>four start-up logs, 1.7 to 2.4 GiB</source>
        <translation>四份启动日志，1.7 至 2.4 GiB</translation>
    </message>
    <message>
        <source>fp8_ds_mla (sparse FlashMLA, DeepSeek-V3.2, GLM-5)</source>
        <translation>fp8_ds_mla（稀疏 FlashMLA，DeepSeek-V3.2、GLM-5）</translation>
    </message>
    <message>
        <source>fraction of free memory</source>
        <translation>空闲显存比例</translation>
    </message>
    <message>
        <source>fragmentation</source>
        <translation>碎片</translation>
    </message>
    <message>
        <source>fragmentation reserve</source>
        <translation>碎片预留</translation>
    </message>
    <message>
        <source>free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>free after load, measured</source>
        <translation>加载后空闲，实测</translation>
    </message>
    <message>
        <source>free before load, measured</source>
        <translation>加载前空闲，实测</translation>
    </message>
    <message>
        <source>free fraction</source>
        <translation>空闲显存比例</translation>
    </message>
    <message>
        <source>from releases 0.11 and after</source>
        <translation>取自 0.11 及以后的版本</translation>
    </message>
    <message>
        <source>from releases 0.18 and after</source>
        <translation>取自 0.18 及以后的版本</translation>
    </message>
    <message>
        <source>from releases 0.20 and after</source>
        <translation>取自 0.20 及以后的版本</translation>
    </message>
    <message>
        <source>from releases 0.7 and after</source>
        <translation>取自 0.7 及以后的版本</translation>
    </message>
    <message>
        <source>from releases 0.8 and after</source>
        <translation>取自 0.8 及以后的版本</translation>
    </message>
    <message>
        <source>frontier</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>full</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>full attention</source>
        <translation>全注意力</translation>
    </message>
    <message>
        <source>full window cache</source>
        <translation>完整窗口缓存</translation>
    </message>
    <message>
        <source>further copies of the inputs</source>
        <translation>输入的其余副本</translation>
    </message>
    <message>
        <source>given</source>
        <translation>给定</translation>
    </message>
    <message>
        <source>graph batch</source>
        <translation>CUDA 图最大批次</translation>
    </message>
    <message>
        <source>graphs of prefill steps</source>
        <translation>预填充步的 CUDA 图</translation>
    </message>
    <message>
        <source>graphs, fixed part</source>
        <translation>图，固定部分</translation>
    </message>
    <message>
        <source>graphs, per layer</source>
        <translation>图，每层</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>组</translation>
    </message>
    <message>
        <source>groups an outer scale</source>
        <translation>每个外层缩放系数的组数</translation>
    </message>
    <message>
        <source>groups of layers</source>
        <translation>层的分组</translation>
    </message>
    <message>
        <source>growth outside torch</source>
        <translation>torch 之外的增长</translation>
    </message>
    <message>
        <source>growth since start</source>
        <translation>启动以来的增长</translation>
    </message>
    <message>
        <source>growth while decoding</source>
        <translation>解码期间的增长</translation>
    </message>
    <message>
        <source>half are at most</source>
        <translation>一半不超过</translation>
    </message>
    <message>
        <source>head size</source>
        <translation>头维度</translation>
    </message>
    <message>
        <source>headroom</source>
        <translation>余量</translation>
    </message>
    <message>
        <source>headroom asked for</source>
        <translation>要求的余量</translation>
    </message>
    <message>
        <source>headroom, share of the card</source>
        <translation>余量，占显卡比例</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>hidden size</source>
        <translation>隐藏维度</translation>
    </message>
    <message>
        <source>hidden states alive</source>
        <translation>存活的隐藏状态</translation>
    </message>
    <message>
        <source>hidden states kept for the neighbours</source>
        <translation>为相邻阶段保留的隐藏状态</translation>
    </message>
    <message>
        <source>hidden states while sampling</source>
        <translation>采样时的隐藏状态</translation>
    </message>
    <message>
        <source>host cache</source>
        <translation>主机缓存</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>how layers are dealt to groups</source>
        <translation>层如何分配到组</translation>
    </message>
    <message>
        <source>how pages of several sizes are made equal</source>
        <translation>多种大小的页如何统一</translation>
    </message>
    <message>
        <source>how the printed tokens are counted</source>
        <translation>日志 token 数如何计算</translation>
    </message>
    <message>
        <source>hybrid cache manager</source>
        <translation>混合缓存管理器</translation>
    </message>
    <message>
        <source>hybrid cache ratio</source>
        <translation>混合缓存比例</translation>
    </message>
    <message>
        <source>id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>image projector: its own file and buffer</source>
        <translation>图像投影器：单独的文件和缓冲</translation>
    </message>
    <message>
        <source>in full layers only</source>
        <translation>仅在全注意力层</translation>
    </message>
    <message>
        <source>in runs</source>
        <translation>连续分段</translation>
    </message>
    <message>
        <source>in the KV format</source>
        <translation>采用该 KV 格式</translation>
    </message>
    <message>
        <source>in the layers</source>
        <translation>在各层中</translation>
    </message>
    <message>
        <source>in turn</source>
        <translation>依次轮流</translation>
    </message>
    <message>
        <source>in use before start</source>
        <translation>启动前占用</translation>
    </message>
    <message>
        <source>in use before start, measured</source>
        <translation>启动前占用，实测</translation>
    </message>
    <message>
        <source>in windows, 16 bits</source>
        <translation>窗口内，16 位</translation>
    </message>
    <message>
        <source>index bytes a column</source>
        <translation>每列索引字节数</translation>
    </message>
    <message>
        <source>index is loaded</source>
        <translation>加载索引</translation>
    </message>
    <message>
        <source>indexer</source>
        <translation>索引器</translation>
    </message>
    <message>
        <source>indexer keys a token, 16 bits</source>
        <translation>每 token 索引器键，16 位</translation>
    </message>
    <message>
        <source>inferred from start-up logs, {detail}</source>
        <translation>由启动日志推断，{detail}</translation>
    </message>
    <message>
        <source>inner width, multiple of</source>
        <translation>内维宽度，倍数</translation>
    </message>
    <message>
        <source>input elements of an encoder token</source>
        <translation>编码器 token 的输入元素数</translation>
    </message>
    <message>
        <source>input width of an expert</source>
        <translation>专家的输入宽度</translation>
    </message>
    <message>
        <source>input width of the experts</source>
        <translation>各专家的输入宽度</translation>
    </message>
    <message>
        <source>intermediate size</source>
        <translation>中间维度</translation>
    </message>
    <message>
        <source>intermediate size of an expert</source>
        <translation>专家的中间维度</translation>
    </message>
    <message>
        <source>intermediate size on a rank</source>
        <translation>每个 rank 的中间维度</translation>
    </message>
    <message>
        <source>intermediates alive</source>
        <translation>存活的中间结果</translation>
    </message>
    <message>
        <source>intermediates of a token</source>
        <translation>一个 token 的中间量</translation>
    </message>
    <message>
        <source>kept in host memory</source>
        <translation>存放在主机内存</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>kernel block sizes</source>
        <translation>内核块大小</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>key vector</source>
        <translation>键向量</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>largest concurrency that fits</source>
        <translation>放得下的最大并发</translation>
    </message>
    <message>
        <source>largest context that fits</source>
        <translation>放得下的最大上下文</translation>
    </message>
    <message>
        <source>largest graph batch</source>
        <translation>CUDA 图最大批次</translation>
    </message>
    <message>
        <source>largest graph size</source>
        <translation>最大图尺寸</translation>
    </message>
    <message>
        <source>largest number that fits</source>
        <translation>放得下的最大数量</translation>
    </message>
    <message>
        <source>last answer</source>
        <translation>最终结果</translation>
    </message>
    <message>
        <source>latent (MLA)</source>
        <translation>潜在注意力 (MLA)</translation>
    </message>
    <message>
        <source>latent attention</source>
        <translation>潜在注意力</translation>
    </message>
    <message>
        <source>layer run {number}</source>
        <translation>第 {number} 段层</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>layers are alike by</source>
        <translation>判断层相同的依据</translation>
    </message>
    <message>
        <source>layers are grouped by</source>
        <translation>层的分组依据</translation>
    </message>
    <message>
        <source>layers left at the ends</source>
        <translation>首尾保留的层</translation>
    </message>
    <message>
        <source>layers of the audio tower</source>
        <translation>音频塔的层数</translation>
    </message>
    <message>
        <source>layers of the draft</source>
        <translation>草稿模块的层数</translation>
    </message>
    <message>
        <source>layers of the stages</source>
        <translation>各阶段的层数</translation>
    </message>
    <message>
        <source>layers of the vision tower</source>
        <translation>视觉塔的层数</translation>
    </message>
    <message>
        <source>layers on GPU</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>layers without routed experts</source>
        <translation>不含路由专家的层</translation>
    </message>
    <message>
        <source>layers: {detail}</source>
        <translation>层：{detail}</translation>
    </message>
    <message>
        <source>least free: {name}, {free_bytes} per GPU</source>
        <translation>空闲最少的是 {name}，每卡 {free_bytes}</translation>
    </message>
    <message>
        <source>ledger under {detail}</source>
        <translation>{detail} 下的账本</translation>
    </message>
    <message>
        <source>left after loading</source>
        <translation>加载后剩余</translation>
    </message>
    <message>
        <source>left in 16 bits</source>
        <translation>保持 16 位</translation>
    </message>
    <message>
        <source>left of the budget</source>
        <translation>预算剩余</translation>
    </message>
    <message>
        <source>left open: nothing is typed</source>
        <translation>未确定：没有输入</translation>
    </message>
    <message>
        <source>left per GPU, headroom included, {before_bytes} → {after_bytes}</source>
        <translation>每卡剩余（含余量）{before_bytes} → {after_bytes}</translation>
    </message>
    <message>
        <source>length drawn</source>
        <translation>取用的长度</translation>
    </message>
    <message>
        <source>lengths</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>lengths × {length_share}</source>
        <translation>长度 × {length_share}</translation>
    </message>
    <message>
        <source>lengths: {detail}</source>
        <translation>长度：{detail}</translation>
    </message>
    <message>
        <source>licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>link</source>
        <translation>互联</translation>
    </message>
    <message>
        <source>link bandwidth, one way</source>
        <translation>互联带宽，单向</translation>
    </message>
    <message>
        <source>linked by NVLink</source>
        <translation>NVLink 互联</translation>
    </message>
    <message>
        <source>llama.cpp iq4_nl KV (block 32)</source>
        <translation>llama.cpp iq4_nl KV（每块 32）</translation>
    </message>
    <message>
        <source>llama.cpp q4_0 KV (block 32)</source>
        <translation>llama.cpp q4_0 KV（每块 32）</translation>
    </message>
    <message>
        <source>llama.cpp q4_1 KV (block 32)</source>
        <translation>llama.cpp q4_1 KV（每块 32）</translation>
    </message>
    <message>
        <source>llama.cpp q5_0 KV (block 32)</source>
        <translation>llama.cpp q5_0 KV（每块 32）</translation>
    </message>
    <message>
        <source>llama.cpp q5_1 KV (block 32)</source>
        <translation>llama.cpp q5_1 KV（每块 32）</translation>
    </message>
    <message>
        <source>llama.cpp q8_0 KV (block 32)</source>
        <translation>llama.cpp q8_0 KV（每块 32）</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s cells and buffers</source>
        <translation>llama.cpp 的单元和缓冲</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s largest graph, checked on start-up logs</source>
        <translation>llama.cpp 最大的计算图，已用启动日志核对</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>longest before scaling</source>
        <translation>缩放前的最大长度</translation>
    </message>
    <message>
        <source>longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>longest request</source>
        <translation>最长请求</translation>
    </message>
    <message>
        <source>longest request allowed</source>
        <translation>允许的最长请求</translation>
    </message>
    <message>
        <source>longest requests</source>
        <translation>最长请求</translation>
    </message>
    <message>
        <source>longest, extended</source>
        <translation>最长，扩展后</translation>
    </message>
    <message>
        <source>lower-case letters, digits, dots and dashes, such as llama-3.1-8b</source>
        <translation>小写字母、数字、点和连字符，例如 llama-3.1-8b</translation>
    </message>
    <message>
        <source>max batched tokens</source>
        <translation>最大批处理 token 数</translation>
    </message>
    <message>
        <source>max batched tokens {value_tokens}</source>
        <translation>最大批处理 token 数 {value_tokens}</translation>
    </message>
    <message>
        <source>max bytes of the pool</source>
        <translation>KV 池字节上限</translation>
    </message>
    <message>
        <source>max concurrency {before} → {after}</source>
        <translation>最大并发 {before} → {after}</translation>
    </message>
    <message>
        <source>max model len</source>
        <translation>最大模型长度</translation>
    </message>
    <message>
        <source>max model len {value_tokens}</source>
        <translation>最大模型长度 {value_tokens}</translation>
    </message>
    <message>
        <source>max output tokens</source>
        <translation>输出 token 上限</translation>
    </message>
    <message>
        <source>max pool bytes</source>
        <translation>KV 池字节上限</translation>
    </message>
    <message>
        <source>max pool tokens</source>
        <translation>KV 池 token 上限</translation>
    </message>
    <message>
        <source>max prefill tokens</source>
        <translation>预填充 token 上限</translation>
    </message>
    <message>
        <source>max sequences</source>
        <translation>最大序列数</translation>
    </message>
    <message>
        <source>max sequences {value}</source>
        <translation>最大序列数 {value}</translation>
    </message>
    <message>
        <source>max tokens of the pool</source>
        <translation>KV 池 token 上限</translation>
    </message>
    <message>
        <source>max total tokens</source>
        <translation>总 token 上限</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>mean length</source>
        <translation>平均长度</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>measured trace</source>
        <translation>实测轨迹</translation>
    </message>
    <message>
        <source>memory bandwidth</source>
        <translation>显存带宽</translation>
    </message>
    <message>
        <source>memory in the name, GB</source>
        <translation>名称中的显存，GB</translation>
    </message>
    <message>
        <source>memory of the host</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>memory of the set</source>
        <translation>套件的显存</translation>
    </message>
    <message>
        <source>memory type</source>
        <translation>显存类型</translation>
    </message>
    <message>
        <source>micro batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>model {detail}</source>
        <translation>模型 {detail}</translation>
    </message>
    <message>
        <source>most in a node</source>
        <translation>单节点最多</translation>
    </message>
    <message>
        <source>most requests</source>
        <translation>最大请求数</translation>
    </message>
    <message>
        <source>multimodal cache</source>
        <translation>多模态缓存</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>name of the kind</source>
        <translation>类型名</translation>
    </message>
    <message>
        <source>names with a character that can be seen</source>
        <translation>至少含一个可见字符的名称</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no CUDA graphs</source>
        <translation>关闭 CUDA 图</translation>
    </message>
    <message>
        <source>no limit found</source>
        <translation>未找到上限</translation>
    </message>
    <message>
        <source>no overlap schedule</source>
        <translation>关闭重叠调度</translation>
    </message>
    <message>
        <source>no radix cache</source>
        <translation>关闭前缀树缓存</translation>
    </message>
    <message>
        <source>no window pool</source>
        <translation>关闭窗口池</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not modelled</source>
        <translation>未建模</translation>
    </message>
    <message>
        <source>not set: the largest number that fits is shown</source>
        <translation>未设定：显示能容纳的最大数量</translation>
    </message>
    <message>
        <source>not worked out</source>
        <translation>未计算</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>note on the price</source>
        <translation>价格说明</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>of these no parameters</source>
        <translation>其中不计参数</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>on request</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>one</source>
        <translation>一</translation>
    </message>
    <message>
        <source>one GB</source>
        <translation>1 GB</translation>
    </message>
    <message>
        <source>one GiB</source>
        <translation>1 GiB</translation>
    </message>
    <message>
        <source>one MiB</source>
        <translation>1 MiB</translation>
    </message>
    <message>
        <source>one a block</source>
        <translation>每块一个</translation>
    </message>
    <message>
        <source>one batch</source>
        <translation>一个批次</translation>
    </message>
    <message>
        <source>one layer&apos;s intermediates</source>
        <translation>一层的中间结果</translation>
    </message>
    <message>
        <source>one start-up log</source>
        <translation>一份启动日志</translation>
    </message>
    <message>
        <source>one start-up log of 24 GB cards</source>
        <translation>一份 24 GB 显卡的启动日志</translation>
    </message>
    <message>
        <source>one start-up log of 8 × MI308X</source>
        <translation>一份 8 × MI308X 的启动日志</translation>
    </message>
    <message>
        <source>one start-up log, scaled</source>
        <translation>一份启动日志，按比例换算</translation>
    </message>
    <message>
        <source>operations a second</source>
        <translation>每秒运算数</translation>
    </message>
    <message>
        <source>order of the groups</source>
        <translation>组的顺序</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>other head size</source>
        <translation>另一头维度</translation>
    </message>
    <message>
        <source>other names</source>
        <translation>其他名称</translation>
    </message>
    <message>
        <source>other processes&apos; memory is charged</source>
        <translation>计入其他进程的显存</translation>
    </message>
    <message>
        <source>outer width, multiple of</source>
        <translation>外维宽度，倍数</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>output lengths</source>
        <translation>输出长度</translation>
    </message>
    <message>
        <source>output matrix and norm</source>
        <translation>输出矩阵和归一化</translation>
    </message>
    <message>
        <source>output matrix, copied to the card</source>
        <translation>输出矩阵，复制到卡上</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>outputs of the encoder</source>
        <translation>编码器的输出</translation>
    </message>
    <message>
        <source>outside</source>
        <translation>预算外</translation>
    </message>
    <message>
        <source>outside the layers</source>
        <translation>层以外</translation>
    </message>
    <message>
        <source>outside torch</source>
        <translation>torch 之外</translation>
    </message>
    <message>
        <source>outside torch, measured</source>
        <translation>torch 之外，实测</translation>
    </message>
    <message>
        <source>over the budget</source>
        <translation>超出预算</translation>
    </message>
    <message>
        <source>own blocks of all requests</source>
        <translation>所有请求的自有块</translation>
    </message>
    <message>
        <source>padded vocabulary</source>
        <translation>填充后的词表</translation>
    </message>
    <message>
        <source>padding tokens</source>
        <translation>填充 token</translation>
    </message>
    <message>
        <source>page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>page of a layer</source>
        <translation>一层的页</translation>
    </message>
    <message>
        <source>pages of several sizes share packed groups</source>
        <translation>多种大小的页共用打包组</translation>
    </message>
    <message>
        <source>pages of their own size inside a group</source>
        <translation>组内各用自己的页大小</translation>
    </message>
    <message>
        <source>parallel layout</source>
        <translation>并行布局</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>peak at the logits</source>
        <translation>logits 处的峰值</translation>
    </message>
    <message>
        <source>peak of a layer</source>
        <translation>一层的峰值</translation>
    </message>
    <message>
        <source>peak of attention</source>
        <translation>注意力的峰值</translation>
    </message>
    <message>
        <source>peak of latent attention</source>
        <translation>潜变量注意力的峰值</translation>
    </message>
    <message>
        <source>peak of the feed-forward layer</source>
        <translation>前馈层的峰值</translation>
    </message>
    <message>
        <source>peak while sampling</source>
        <translation>采样时的峰值</translation>
    </message>
    <message>
        <source>pool</source>
        <translation>池</translation>
    </message>
    <message>
        <source>pool left to the engine</source>
        <translation>池由引擎决定</translation>
    </message>
    <message>
        <source>positions</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>power, W</source>
        <translation>功耗，W</translation>
    </message>
    <message>
        <source>prefill chunk</source>
        <translation>预填充分块</translation>
    </message>
    <message>
        <source>prefill graphs</source>
        <translation>预填充 CUDA 图</translation>
    </message>
    <message>
        <source>prefix cache</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>prefix caching</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>prefix caching by default</source>
        <translation>默认前缀缓存</translation>
    </message>
    <message>
        <source>prefix caching by default, recurrent models</source>
        <translation>默认前缀缓存，循环模型</translation>
    </message>
    <message>
        <source>prefix group {number}</source>
        <translation>前缀组 {number}</translation>
    </message>
    <message>
        <source>prefix groups</source>
        <translation>前缀组</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>preset {detail}</source>
        <translation>预设 {detail}</translation>
    </message>
    <message>
        <source>presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>price in USD an hour, high</source>
        <translation>每小时价格（美元），高</translation>
    </message>
    <message>
        <source>price in USD an hour, low</source>
        <translation>每小时价格（美元），低</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>profile run at start</source>
        <translation>启动时的性能分析</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>prompt cache and checkpoints in host memory, up to 8 GiB by default</source>
        <translation>主机内存中的提示词缓存和检查点，默认最多 8 GiB</translation>
    </message>
    <message>
        <source>published checkpoint of {detail}</source>
        <translation>{detail} 公布的检查点</translation>
    </message>
    <message>
        <source>published format</source>
        <translation>公布的格式</translation>
    </message>
    <message>
        <source>published parameters</source>
        <translation>公布的参数量</translation>
    </message>
    <message>
        <source>quality loss of a quantised KV cache</source>
        <translation>KV 缓存量化的质量损失</translation>
    </message>
    <message>
        <source>quantile table</source>
        <translation>分位数表</translation>
    </message>
    <message>
        <source>quantile {number}</source>
        <translation>分位数 {number}</translation>
    </message>
    <message>
        <source>quantiles</source>
        <translation>分位数</translation>
    </message>
    <message>
        <source>quantised</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>quantised beside experts</source>
        <translation>专家以外也量化</translation>
    </message>
    <message>
        <source>quantised only</source>
        <translation>仅量化</translation>
    </message>
    <message>
        <source>quantised too</source>
        <translation>也量化</translation>
    </message>
    <message>
        <source>query heads</source>
        <translation>查询头数</translation>
    </message>
    <message>
        <source>query heads of latent layers</source>
        <translation>潜变量层的查询头</translation>
    </message>
    <message>
        <source>query rank</source>
        <translation>查询秩</translation>
    </message>
    <message>
        <source>ranks of a replica</source>
        <translation>每个副本的 rank 数</translation>
    </message>
    <message>
        <source>ranks with requests of their own</source>
        <translation>各自服务请求的卡数</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>ratio of the KV bytes</source>
        <translation>KV 字节比值</translation>
    </message>
    <message>
        <source>read in 0.33.0, vllm.md §9.3</source>
        <translation>取自 0.33.0 源代码，vllm.md §9.3</translation>
    </message>
    <message>
        <source>reads the cache of layer</source>
        <translation>读取该层的缓存</translation>
    </message>
    <message>
        <source>recurrent layers are planned</source>
        <translation>规划循环层</translation>
    </message>
    <message>
        <source>recurrent state</source>
        <translation>循环状态</translation>
    </message>
    <message>
        <source>recurrent state: V0 does not budget it, and may run out of memory</source>
        <translation>循环状态：V0 不将其计入预算，可能显存不足</translation>
    </message>
    <message>
        <source>release</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>releases such as 0.19.0, at most 200 characters</source>
        <translation>版本号，例如 0.19.0，最多 200 个字符</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>request table</source>
        <translation>请求表</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>请求数</translation>
    </message>
    <message>
        <source>requests of a replica</source>
        <translation>一个副本的请求数</translation>
    </message>
    <message>
        <source>requests run at once</source>
        <translation>同时运行的请求</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>reserved in whole blocks</source>
        <translation>按整块预留</translation>
    </message>
    <message>
        <source>reserved tokens</source>
        <translation>预留 token 数</translation>
    </message>
    <message>
        <source>reserves for long latent contexts and multimodal encoders</source>
        <translation>为长潜在上下文和多模态编码器的预留</translation>
    </message>
    <message>
        <source>reuse of equal prompts: a slot keeps only its own last one</source>
        <translation>相同提示词的复用：每槽只留自己的最后一个</translation>
    </message>
    <message>
        <source>revision</source>
        <translation>修订版</translation>
    </message>
    <message>
        <source>risk of overflow</source>
        <translation>溢出风险</translation>
    </message>
    <message>
        <source>risk taken</source>
        <translation>可接受风险</translation>
    </message>
    <message>
        <source>rotary base</source>
        <translation>旋转位置基数</translation>
    </message>
    <message>
        <source>rotary head size</source>
        <translation>旋转头维度</translation>
    </message>
    <message>
        <source>rotary scaling</source>
        <translation>旋转位置缩放</translation>
    </message>
    <message>
        <source>rotary table</source>
        <translation>旋转位置表</translation>
    </message>
    <message>
        <source>rotary tables</source>
        <translation>旋转位置表</translation>
    </message>
    <message>
        <source>rounding of the allocator</source>
        <translation>分配器取整</translation>
    </message>
    <message>
        <source>rounding of the budget</source>
        <translation>预算取整</translation>
    </message>
    <message>
        <source>routed experts</source>
        <translation>路由专家</translation>
    </message>
    <message>
        <source>routed experts of a rank</source>
        <translation>一张卡的路由专家</translation>
    </message>
    <message>
        <source>routed rows</source>
        <translation>路由行数</translation>
    </message>
    <message>
        <source>row, multiple of</source>
        <translation>行，倍数</translation>
    </message>
    <message>
        <source>rows not charged</source>
        <translation>未计入的行</translation>
    </message>
    <message>
        <source>rows of a tile</source>
        <translation>分片的行数</translation>
    </message>
    <message>
        <source>rows of logits</source>
        <translation>logits 的行数</translation>
    </message>
    <message>
        <source>rows of the request table</source>
        <translation>请求表的行数</translation>
    </message>
    <message>
        <source>rule of the engine</source>
        <translation>引擎规则</translation>
    </message>
    <message>
        <source>rule of thumb: {detail}</source>
        <translation>经验法则：{detail}</translation>
    </message>
    <message>
        <source>runtime as given</source>
        <translation>运行时，给定</translation>
    </message>
    <message>
        <source>runtime overhead</source>
        <translation>运行时开销</translation>
    </message>
    <message>
        <source>runtime: context, communication buffers, CUDA graphs</source>
        <translation>运行时：上下文、通信缓冲区、CUDA 图</translation>
    </message>
    <message>
        <source>sampled rows</source>
        <translation>采样行数</translation>
    </message>
    <message>
        <source>saved at</source>
        <translation>保存时间</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>scale bytes a group</source>
        <translation>每组缩放字节</translation>
    </message>
    <message>
        <source>scale bytes a key</source>
        <translation>每键缩放字节</translation>
    </message>
    <message>
        <source>scale bytes a layer</source>
        <translation>每层缩放字节</translation>
    </message>
    <message>
        <source>scale bytes a matrix</source>
        <translation>每矩阵缩放字节</translation>
    </message>
    <message>
        <source>scale bytes a row</source>
        <translation>每行缩放字节</translation>
    </message>
    <message>
        <source>scale bytes a tile</source>
        <translation>每分片缩放字节</translation>
    </message>
    <message>
        <source>scale bytes a value</source>
        <translation>每值缩放字节</translation>
    </message>
    <message>
        <source>scale of a group</source>
        <translation>一组的缩放系数</translation>
    </message>
    <message>
        <source>scale of a vector</source>
        <translation>一个向量的缩放系数</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>scaled and padded</source>
        <translation>缩放并填充</translation>
    </message>
    <message>
        <source>scales</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>scales do not grow with the head size</source>
        <translation>缩放系数不随头维度增长</translation>
    </message>
    <message>
        <source>scales of a layer</source>
        <translation>一层的缩放系数</translation>
    </message>
    <message>
        <source>scenario {detail}</source>
        <translation>方案 {detail}</translation>
    </message>
    <message>
        <source>scenarios edited together</source>
        <translation>一起编辑的方案</translation>
    </message>
    <message>
        <source>scheduler policy</source>
        <translation>调度策略</translation>
    </message>
    <message>
        <source>scratch of the kernels, which grows with a quantised cache</source>
        <translation>内核的临时空间，随量化缓存增长</translation>
    </message>
    <message>
        <source>second runner</source>
        <translation>第二代 runner</translation>
    </message>
    <message>
        <source>second-generation runner</source>
        <translation>第二代 runner</translation>
    </message>
    <message>
        <source>second-generation runner by default</source>
        <translation>默认第二代 runner</translation>
    </message>
    <message>
        <source>seen</source>
        <translation>已见</translation>
    </message>
    <message>
        <source>seen by frameworks, high</source>
        <translation>框架所见，高</translation>
    </message>
    <message>
        <source>seen by frameworks, low</source>
        <translation>框架所见，低</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务</translation>
    </message>
    <message>
        <source>several kinds keep groups of their own</source>
        <translation>多种类型各自成组</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>share of blocks kept free</source>
        <translation>保持空闲的块的比例</translation>
    </message>
    <message>
        <source>share of free memory</source>
        <translation>空闲显存的份额</translation>
    </message>
    <message>
        <source>share of requests</source>
        <translation>请求占比</translation>
    </message>
    <message>
        <source>share of the divided matrices</source>
        <translation>切分矩阵的份额</translation>
    </message>
    <message>
        <source>shared blocks of a request, mean</source>
        <translation>每请求共享块，平均</translation>
    </message>
    <message>
        <source>shared by</source>
        <translation>共享比例</translation>
    </message>
    <message>
        <source>shared cache</source>
        <translation>共享缓存</translation>
    </message>
    <message>
        <source>shared experts</source>
        <translation>共享专家</translation>
    </message>
    <message>
        <source>shared prefix</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>shared prefixes</source>
        <translation>共享前缀</translation>
    </message>
    <message>
        <source>shared prefixes are counted once</source>
        <translation>共享前缀只计一次</translation>
    </message>
    <message>
        <source>shared tokens</source>
        <translation>共享 token</translation>
    </message>
    <message>
        <source>sharing</source>
        <translation>切分方式</translation>
    </message>
    <message>
        <source>sink tokens</source>
        <translation>sink token 数</translation>
    </message>
    <message>
        <source>sinks</source>
        <translation>sink</translation>
    </message>
    <message>
        <source>sliding layers choose a block of their own</source>
        <translation>滑动窗口层自选块大小</translation>
    </message>
    <message>
        <source>sliding window</source>
        <translation>滑动窗口</translation>
    </message>
    <message>
        <source>slot, multiple of</source>
        <translation>槽位，倍数</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>槽位数</translation>
    </message>
    <message>
        <source>slots charged</source>
        <translation>计入的槽位</translation>
    </message>
    <message>
        <source>smallest block</source>
        <translation>最小块</translation>
    </message>
    <message>
        <source>sorted</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>source of the log</source>
        <translation>日志来源</translation>
    </message>
    <message>
        <source>sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>speed: throughput, latency, (de)quantisation time</source>
        <translation>速度：吞吐、延迟、量化与反量化时间</translation>
    </message>
    <message>
        <source>split mode</source>
        <translation>切分方式</translation>
    </message>
    <message>
        <source>split over cards</source>
        <translation>各卡份额</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>start refused when less memory is free than asked</source>
        <translation>空闲少于申请时拒绝启动</translation>
    </message>
    <message>
        <source>start-up log {detail}</source>
        <translation>启动日志 {detail}</translation>
    </message>
    <message>
        <source>started as</source>
        <translation>启动方式</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>state blocks of a request</source>
        <translation>请求的状态块</translation>
    </message>
    <message>
        <source>state elements a request</source>
        <translation>每请求状态元素数</translation>
    </message>
    <message>
        <source>state memory ratio</source>
        <translation>状态显存比例</translation>
    </message>
    <message>
        <source>state size</source>
        <translation>状态大小</translation>
    </message>
    <message>
        <source>state slots</source>
        <translation>状态槽位数</translation>
    </message>
    <message>
        <source>state type</source>
        <translation>状态类型</translation>
    </message>
    <message>
        <source>states of a request</source>
        <translation>请求的状态数</translation>
    </message>
    <message>
        <source>states of a request, bytes</source>
        <translation>请求的状态，字节</translation>
    </message>
    <message>
        <source>states of a sequence</source>
        <translation>一个序列的状态</translation>
    </message>
    <message>
        <source>static fraction</source>
        <translation>静态显存比例</translation>
    </message>
    <message>
        <source>steady state, P50 length</source>
        <translation>稳态，P50 长度</translation>
    </message>
    <message>
        <source>steady state, P95 length</source>
        <translation>稳态，P95 长度</translation>
    </message>
    <message>
        <source>steady state, P99 length</source>
        <translation>稳态，P99 长度</translation>
    </message>
    <message>
        <source>steady state, longest length</source>
        <translation>稳态，最长长度</translation>
    </message>
    <message>
        <source>steady state, mean length</source>
        <translation>稳态，平均长度</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>step {detail}</source>
        <translation>步骤 {detail}</translation>
    </message>
    <message>
        <source>stored otherwise</source>
        <translation>以其他方式存储</translation>
    </message>
    <message>
        <source>stored otherwise {number}</source>
        <translation>以其他方式存储 {number}</translation>
    </message>
    <message>
        <source>stores</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>tail of last blocks</source>
        <translation>末块尾部</translation>
    </message>
    <message>
        <source>taken as key heads</source>
        <translation>按键头处理</translation>
    </message>
    <message>
        <source>target concurrency</source>
        <translation>目标并发</translation>
    </message>
    <message>
        <source>temporary workspaces</source>
        <translation>临时工作区</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>the allocator&apos;s rounding</source>
        <translation>分配器取整</translation>
    </message>
    <message>
        <source>the answer stays as it is</source>
        <translation>答案保持不变</translation>
    </message>
    <message>
        <source>the batch in flight is kept once, however many requests</source>
        <translation>在途批次只保留一份，与请求数无关</translation>
    </message>
    <message>
        <source>the check leaves out the withheld block</source>
        <translation>检查不计保留块</translation>
    </message>
    <message>
        <source>the check takes the blocks override</source>
        <translation>检查采用指定块数</translation>
    </message>
    <message>
        <source>the engine&apos;s scheduler, followed step by step</source>
        <translation>逐步模拟引擎的调度器</translation>
    </message>
    <message>
        <source>the heads do not divide by TP</source>
        <translation>头数不能被 TP 整除</translation>
    </message>
    <message>
        <source>the kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>the ledger</source>
        <translation>账本</translation>
    </message>
    <message>
        <source>the preset {reference} has changed since ({fields})</source>
        <translation>预设 {reference} 此后已改变（{fields}）</translation>
    </message>
    <message>
        <source>the preset {reference} is gone</source>
        <translation>预设 {reference} 已不存在</translation>
    </message>
    <message>
        <source>the program&apos;s rules have changed since {version}</source>
        <translation>自 {version} 以来程序的规则已改变</translation>
    </message>
    <message>
        <source>the rules of {reference} have changed since ({fields})</source>
        <translation>{reference} 的规则此后已改变（{fields}）</translation>
    </message>
    <message>
        <source>the scenario is not valid with it</source>
        <translation>方案与之不相容</translation>
    </message>
    <message>
        <source>the top level</source>
        <translation>最外层</translation>
    </message>
    <message>
        <source>this column</source>
        <translation>此列</translation>
    </message>
    <message>
        <source>three capital letters such as USD</source>
        <translation>三个大写字母，例如 USD</translation>
    </message>
    <message>
        <source>three start-up logs, 0.4 to 1.2 GiB</source>
        <translation>三份启动日志，0.4 至 1.2 GiB</translation>
    </message>
    <message>
        <source>tied embeddings</source>
        <translation>共享词嵌入</translation>
    </message>
    <message>
        <source>tight below</source>
        <translation>紧张阈值</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token 数</translation>
    </message>
    <message>
        <source>tokens added for drafts</source>
        <translation>为草稿增加的 token</translation>
    </message>
    <message>
        <source>tokens an entry</source>
        <translation>每条目 token 数</translation>
    </message>
    <message>
        <source>tokens in flight</source>
        <translation>在途 token 数</translation>
    </message>
    <message>
        <source>tokens kept of a request</source>
        <translation>请求保留的 token 数</translation>
    </message>
    <message>
        <source>tokens of a chunk</source>
        <translation>分块的 token 数</translation>
    </message>
    <message>
        <source>tokens of a request</source>
        <translation>请求的 token 数</translation>
    </message>
    <message>
        <source>tokens of a slot</source>
        <translation>一个槽的 token 数</translation>
    </message>
    <message>
        <source>tokens of the draft&apos;s pool</source>
        <translation>草稿池的 token 数</translation>
    </message>
    <message>
        <source>tokens of the pool</source>
        <translation>池的 token 数</translation>
    </message>
    <message>
        <source>tokens of the window pool</source>
        <translation>窗口池的 token 数</translation>
    </message>
    <message>
        <source>tokens per MiB</source>
        <translation>每 MiB 的 token 数</translation>
    </message>
    <message>
        <source>tokens such as 128k or 131072</source>
        <translation>token 数，例如 128k 或 131072</translation>
    </message>
    <message>
        <source>tokens that may be in flight</source>
        <translation>可能在途的 token 数</translation>
    </message>
    <message>
        <source>tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>torch peak, use now</source>
        <translation>torch 峰值，当前占用</translation>
    </message>
    <message>
        <source>total memory</source>
        <translation>显存总量</translation>
    </message>
    <message>
        <source>tried out: the ledger of the scenario with this value</source>
        <translation>试算：方案取此值时的账本</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>two start-up logs of A100 PCIe</source>
        <translation>两份 A100 PCIe 启动日志</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>type of the activations</source>
        <translation>激活的类型</translation>
    </message>
    <message>
        <source>type of the checkpoint</source>
        <translation>检查点的类型</translation>
    </message>
    <message>
        <source>typed in the scenario</source>
        <translation>在方案中输入</translation>
    </message>
    <message>
        <source>uncertain</source>
        <translation>不确定</translation>
    </message>
    <message>
        <source>unified cache</source>
        <translation>统一缓存</translation>
    </message>
    <message>
        <source>up</source>
        <translation>向上</translation>
    </message>
    <message>
        <source>up to 100 letters, digits, dots, dashes and underscores</source>
        <translation>最多 100 个字母、数字、点、连字符和下划线</translation>
    </message>
    <message>
        <source>up to 100 letters, digits, dots, dashes, underscores and * ? [ ] !</source>
        <translation>最多 100 个字母、数字、点、连字符、下划线和 * ? [ ] !</translation>
    </message>
    <message>
        <source>up to 64 lower-case letters, digits and dashes</source>
        <translation>最多 64 个小写字母、数字和连字符</translation>
    </message>
    <message>
        <source>used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>used by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>utilization {value_share}</source>
        <translation>利用率 {value_share}</translation>
    </message>
    <message>
        <source>vLLM&apos;s blocks</source>
        <translation>vLLM 的块</translation>
    </message>
    <message>
        <source>value head size</source>
        <translation>值头维度</translation>
    </message>
    <message>
        <source>value heads of another size than key heads</source>
        <translation>值头与键头维度不同</translation>
    </message>
    <message>
        <source>value vector</source>
        <translation>值向量</translation>
    </message>
    <message>
        <source>values are the keys</source>
        <translation>值即键</translation>
    </message>
    <message>
        <source>values from the key projection</source>
        <translation>值取自键投影</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>vendor</source>
        <translation>厂商</translation>
    </message>
    <message>
        <source>verdict at this figure</source>
        <translation>此数值的结论</translation>
    </message>
    <message>
        <source>verdict one past it</source>
        <translation>再加一的结论</translation>
    </message>
    <message>
        <source>verdict {before} → {after}</source>
        <translation>结论 {before} → {after}</translation>
    </message>
    <message>
        <source>vision tower</source>
        <translation>视觉塔</translation>
    </message>
    <message>
        <source>vision tower, outside its layers</source>
        <translation>视觉塔，层以外</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>watermark</source>
        <translation>水位线</translation>
    </message>
    <message>
        <source>weight format</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <source>weight format {detail}</source>
        <translation>权重格式 {detail}</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weights as given</source>
        <translation>权重，给定</translation>
    </message>
    <message>
        <source>weights at TP</source>
        <translation>按 TP 切分的权重</translation>
    </message>
    <message>
        <source>weights repacked for the CPU</source>
        <translation>为 CPU 重排的权重</translation>
    </message>
    <message>
        <source>weights {weights}, KV cache {kv}, activations {activations}</source>
        <translation>权重 {weights}，KV 缓存 {kv}，激活 {activations}</translation>
    </message>
    <message>
        <source>weights, measured</source>
        <translation>权重，实测</translation>
    </message>
    <message>
        <source>weights: the model has none on record</source>
        <translation>权重：模型没有记录</translation>
    </message>
    <message>
        <source>what one request needs in the check</source>
        <translation>检查中一个请求的需求</translation>
    </message>
    <message>
        <source>who decides the block size</source>
        <translation>块大小由谁决定</translation>
    </message>
    <message>
        <source>whole blocks</source>
        <translation>整块</translation>
    </message>
    <message>
        <source>whole blocks round the length up</source>
        <translation>整块使长度向上取整</translation>
    </message>
    <message>
        <source>whole description</source>
        <translation>完整描述</translation>
    </message>
    <message>
        <source>whole sequence</source>
        <translation>整个序列</translation>
    </message>
    <message>
        <source>widest layer on a rank</source>
        <translation>单卡上最宽的层</translation>
    </message>
    <message>
        <source>width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>width of an expert</source>
        <translation>专家的宽度</translation>
    </message>
    <message>
        <source>width of the shared experts</source>
        <translation>共享专家的宽度</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>window pool</source>
        <translation>窗口池</translation>
    </message>
    <message>
        <source>window pool ratio</source>
        <translation>窗口池比例</translation>
    </message>
    <message>
        <source>windows and states do not grow with the length</source>
        <translation>窗口与状态不随长度增长</translation>
    </message>
    <message>
        <source>with 16 bits</source>
        <translation>采用 16 位</translation>
    </message>
    <message>
        <source>with towers and draft</source>
        <translation>含各塔与草稿模块</translation>
    </message>
    <message>
        <source>withheld blocks</source>
        <translation>保留块</translation>
    </message>
    <message>
        <source>workload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>workspace of the experts</source>
        <translation>专家的工作区</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>变差</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>zero bits a group</source>
        <translation>每组零点位数</translation>
    </message>
    <message>
        <source>{bits} bits an element: if bytes were meant, the cache is understated {factor} times.</source>
        <translation>每元素 {bits} 位：如果本意是字节，缓存被低估 {factor} 倍。</translation>
    </message>
    <message>
        <source>{bits} bits an element: if the bits were multiplied by 8, the cache is overstated {factor} times.</source>
        <translation>每元素 {bits} 位：如果位数被乘以 8，缓存被高估 {factor} 倍。</translation>
    </message>
    <message>
        <source>{changes} and {count} more</source>
        <translation>{changes}，以及另外 {count} 项</translation>
    </message>
    <message>
        <source>{change} adds {requests}</source>
        <translation>{change}：增加 {requests}</translation>
    </message>
    <message>
        <source>{change} frees {moved_bytes} per GPU</source>
        <translation>{change}：每卡腾出 {moved_bytes}</translation>
    </message>
    <message>
        <source>{change} moves neither requests nor memory</source>
        <translation>{change}：请求数和显存都不变</translation>
    </message>
    <message>
        <source>{change} needs {moved_bytes} more per GPU</source>
        <translation>{change}：每卡多用 {moved_bytes}</translation>
    </message>
    <message>
        <source>{change} takes {requests} away</source>
        <translation>{change}：减少 {requests}</translation>
    </message>
    <message>
        <source>{concurrency} requests at once, the engine runs {limit}: the others wait.</source>
        <translation>同时 {concurrency} 个请求，而引擎运行 {limit} 个：其余等待。</translation>
    </message>
    <message>
        <source>{count} inputs differ from {name}</source>
        <translation>与 {name} 有 {count} 项输入不同</translation>
    </message>
    <message>
        <source>{count} layers: {runs}</source>
        <translation>{count} 层：{runs}</translation>
    </message>
    <message>
        <source>{count} requests</source>
        <translation>{count} 个请求</translation>
    </message>
    <message>
        <source>{count} requests at once</source>
        <translation>同时 {count} 个请求</translation>
    </message>
    <message>
        <source>{count} requests of {context_tokens} tokens</source>
        <translation>{count} 个 {context_tokens} token 的请求</translation>
    </message>
    <message>
        <source>{count} requests of {tokens} tokens</source>
        <translation>{count} 个 {tokens} token 的请求</translation>
    </message>
    <message>
        <source>{count} requests, overflow in at most {risk_share}</source>
        <translation>{count} 个请求，溢出概率至多 {risk_share}</translation>
    </message>
    <message>
        <source>{count} × {kind}</source>
        <translation>{count} × {kind}</translation>
    </message>
    <message>
        <source>{count} × {kind}: latent of {kv_lora_rank} and {qk_rope_head_dim}</source>
        <translation>{count} × {kind}：潜变量 {kv_lora_rank} 与 {qk_rope_head_dim}</translation>
    </message>
    <message>
        <source>{count} × {kind}: {kv_heads} KV heads of {head_dim}</source>
        <translation>{count} × {kind}：{kv_heads} 个 KV 头，头维 {head_dim}</translation>
    </message>
    <message>
        <source>{count} × {name}</source>
        <translation>{count} × {name}</translation>
    </message>
    <message>
        <source>{detail}</source>
        <translation>{detail}</translation>
    </message>
    <message>
        <source>{engine} has no plan for {model}: {reason}.</source>
        <translation>{engine} 没有 {model} 的方案：{reason}。</translation>
    </message>
    <message>
        <source>{field} cannot be empty: type {accepted}.</source>
        <translation>{field}不能为空：请输入{accepted}。</translation>
    </message>
    <message>
        <source>{field} is no quantity of the engine {engine}: choose the engine that has it first.</source>
        <translation>引擎 {engine} 没有{field}：请先选择具有它的引擎。</translation>
    </message>
    <message>
        <source>{first}, without weights</source>
        <translation>{first}，不含权重</translation>
    </message>
    <message>
        <source>{first}, {count} of them without weights</source>
        <translation>{first}，其中 {count} 个不含权重</translation>
    </message>
    <message>
        <source>{first}; {second}</source>
        <translation>{first}；{second}</translation>
    </message>
    <message>
        <source>{fit} of {count} scenarios fit</source>
        <translation>{count} 个方案中 {fit} 个放得下</translation>
    </message>
    <message>
        <source>{format} is read by {engines}, not by this engine: choose another format or engine.</source>
        <translation>{format} 由 {engines} 读取，此引擎不支持：请另选格式或引擎。</translation>
    </message>
    <message>
        <source>{format} quantises none of the matrices of {model}: its weights are counted in 16 bits.</source>
        <translation>{format} 没有量化 {model} 的任何矩阵：其权重按 16 位计算。</translation>
    </message>
    <message>
        <source>{format} saves {saving_share} of the 16-bit cache at {context_tokens} tokens a request, {scale_bytes} of scales counted; speed is not modelled.</source>
        <translation>每请求 {context_tokens} 个 token 时，{format} 比 16 位缓存节省 {saving_share}，已计缩放系数 {scale_bytes}；未对速度建模。</translation>
    </message>
    <message>
        <source>{gpus} serves {requests}; {part} takes {part_share} of the card</source>
        <translation>{gpus} 可容纳 {requests}；{part} 占显存的 {part_share}</translation>
    </message>
    <message>
        <source>{id} KV cache</source>
        <translation>{id} KV 缓存</translation>
    </message>
    <message>
        <source>{id} weights</source>
        <translation>{id} 权重</translation>
    </message>
    <message>
        <source>{kv_heads} KV heads are more than the {heads} attention heads: check both.</source>
        <translation>{kv_heads} 个 KV 头多于 {heads} 个注意力头：请检查两者。</translation>
    </message>
    <message>
        <source>{kv_heads} KV heads equal the attention heads: if that is the attention-head count, the cache is overstated {low_factor} to {high_factor} times.</source>
        <translation>{kv_heads} 个 KV 头等于注意力头数：如果这其实是注意力头数，缓存被高估 {low_factor} 到 {high_factor} 倍。</translation>
    </message>
    <message>
        <source>{limit_tokens} tokens are accepted, {planned_tokens} are planned</source>
        <translation>接受 {limit_tokens} token，规划 {planned_tokens} token</translation>
    </message>
    <message>
        <source>{low_bytes} or more; the high end is not known</source>
        <translation>{low_bytes} 或更多；上限未知</translation>
    </message>
    <message>
        <source>{low_bytes} to {high_bytes}</source>
        <translation>{low_bytes} 至 {high_bytes}</translation>
    </message>
    <message>
        <source>{model} has no weights on record: give their bytes or read the rest as an upper bound.</source>
        <translation>{model} 没有权重记录：请给出其字节数，或将其余视为上限。</translation>
    </message>
    <message>
        <source>{model} on {gpus}: {verdict}</source>
        <translation>{model}，{gpus}：{verdict}</translation>
    </message>
    <message>
        <source>{model} · {gpu} · {engine}</source>
        <translation>{model} · {gpu} · {engine}</translation>
    </message>
    <message>
        <source>{names} and {count} more</source>
        <translation>{names} 等，另有 {count} 个</translation>
    </message>
    <message>
        <source>{names} differ in {count} facts</source>
        <translation>{names}：{count} 项参数不同</translation>
    </message>
    <message>
        <source>{name}</source>
        <translation>{name}</translation>
    </message>
    <message>
        <source>{name} (baseline)</source>
        <translation>{name}（基线）</translation>
    </message>
    <message>
        <source>{name} (no preset)</source>
        <translation>{name}（无预设）</translation>
    </message>
    <message>
        <source>{name} ({doubt})</source>
        <translation>{name}（{doubt}）</translation>
    </message>
    <message>
        <source>{name} ({reference})</source>
        <translation>{name}（{reference}）</translation>
    </message>
    <message>
        <source>{name} ({reference}, edited since)</source>
        <translation>{name}（{reference}，此后改过）</translation>
    </message>
    <message>
        <source>{name} comes to the same as {other}</source>
        <translation>{name} 与 {other} 结果相同</translation>
    </message>
    <message>
        <source>{name} holds at most {requests}</source>
        <translation>{name} 最多容纳 {requests}</translation>
    </message>
    <message>
        <source>{name} holds the most, {requests}; {other} holds {other_requests}</source>
        <translation>{name} 容纳最多：{requests}；{other} 为 {other_requests}</translation>
    </message>
    <message>
        <source>{name} holds {requests} fewer than {other}, mostly by {change}</source>
        <translation>{name} 比 {other} 少容纳 {requests}，主要原因：{change}</translation>
    </message>
    <message>
        <source>{name} holds {requests} more than {other}, mostly by {change}</source>
        <translation>{name} 比 {other} 多容纳 {requests}，主要原因：{change}</translation>
    </message>
    <message>
        <source>{name} is near the limit, {free_bytes} free per GPU</source>
        <translation>{name} 接近上限，每卡空闲 {free_bytes}</translation>
    </message>
    <message>
        <source>{name} is over by {over_bytes} per GPU</source>
        <translation>{name} 每卡超出 {over_bytes}</translation>
    </message>
    <message>
        <source>{name} is tight, {left_bytes} left per GPU</source>
        <translation>{name} 紧张，每卡只剩 {left_bytes}</translation>
    </message>
    <message>
        <source>{name} needs {moved_bytes} less per GPU than {other}, mostly by {change}</source>
        <translation>{name} 每卡比 {other} 少用 {moved_bytes}，主要原因：{change}</translation>
    </message>
    <message>
        <source>{name} needs {moved_bytes} more per GPU than {other}, mostly by {change}</source>
        <translation>{name} 每卡比 {other} 多用 {moved_bytes}，主要原因：{change}</translation>
    </message>
    <message>
        <source>{name} takes the least of a card, {used_bytes}; {other} takes {other_bytes}</source>
        <translation>{name} 每卡占用最少：{used_bytes}；{other}：{other_bytes}</translation>
    </message>
    <message>
        <source>{name} {release}, by the rules of {rules}</source>
        <translation>{name} {release}，按 {rules} 的规则</translation>
    </message>
    <message>
        <source>{name}, {model} on {gpus}: {verdict}</source>
        <translation>{name}（{model}，{gpus}）：{verdict}</translation>
    </message>
    <message>
        <source>{name}: {size} ({bytes} B), {evidence}: {formula}. Source: {source}</source>
        <translation>{name}：{size}（{bytes} B），{evidence}：{formula}。来源：{source}</translation>
    </message>
    <message>
        <source>{name}: {verdict}</source>
        <translation>{name}：{verdict}</translation>
    </message>
    <message>
        <source>{one} {two}</source>
        <translation>{one}{two}</translation>
    </message>
    <message>
        <source>{one}; {two}</source>
        <translation>{one}；{two}</translation>
    </message>
    <message>
        <source>{page} / {pages}</source>
        <translation>{page} / {pages}</translation>
    </message>
    <message>
        <source>{part}, as drawn</source>
        <translation>{part}（图中所示）</translation>
    </message>
    <message>
        <source>{path} begins with a byte order mark; accepted is UTF-8 without one.</source>
        <translation>{path} 以字节顺序标记开头；只接受不带标记的 UTF-8。</translation>
    </message>
    <message>
        <source>{path} cannot be read; accepted is a preset as this program writes it.</source>
        <translation>无法读取 {path}；只接受本程序写出的预设。</translation>
    </message>
    <message>
        <source>{path} cannot be replaced in one step in its folder and is as it was; save to another place.</source>
        <translation>无法在其文件夹中一步替换 {path}，文件保持原样；请保存到别处。</translation>
    </message>
    <message>
        <source>{path} cannot be the name of a file; choose another name.</source>
        <translation>{path} 不能作为文件名；请另选名称。</translation>
    </message>
    <message>
        <source>{path} carries macros: accepted is a .pptx without them.</source>
        <translation>{path} 含有宏：可接受的是不含宏的 .pptx。</translation>
    </message>
    <message>
        <source>{path} carries no plan of this program; open the plan itself (.kvw).</source>
        <translation>{path} 不含本程序的计划；请打开计划本身 (.kvw)。</translation>
    </message>
    <message>
        <source>{path} could not be read ({reason}); copy it to another disk and try again.</source>
        <translation>无法读取 {path}（{reason}）；请复制到另一磁盘后重试。</translation>
    </message>
    <message>
        <source>{path} could not be read back after writing; the older copy has been kept.</source>
        <translation>写入后无法读回 {path}；已保留旧副本。</translation>
    </message>
    <message>
        <source>{path} could not be written ({reason}) and is as it was; save to another place.</source>
        <translation>无法写入 {path}（{reason}），文件保持原样；请保存到别处。</translation>
    </message>
    <message>
        <source>{path} does not end as this kind of file does: accepted is {accepted}.</source>
        <translation>{path} 的扩展名与此类文件不符：可接受的是 {accepted}。</translation>
    </message>
    <message>
        <source>{path} does not exist; choose a file that does.</source>
        <translation>{path} 不存在；请选择存在的文件。</translation>
    </message>
    <message>
        <source>{path} does not hold what was written: save to another place.</source>
        <translation>{path} 的内容与写入的不一致：请保存到别处。</translation>
    </message>
    <message>
        <source>{path} exists already; choose to replace it, or another name.</source>
        <translation>{path} 已存在；请选择替换，或另取名称。</translation>
    </message>
    <message>
        <source>{path} has been changed by another program since it was opened and was left as it is; save under another name, or choose to replace it.</source>
        <translation>{path} 打开后被其他程序更改，已保持原样；请以其他名称保存，或选择替换。</translation>
    </message>
    <message>
        <source>{path} has been removed since it was opened; save it again under this or another name.</source>
        <translation>{path} 打开后被删除；请以此名称或其他名称重新保存。</translation>
    </message>
    <message>
        <source>{path} has more than {limit} parts: accepted is a simpler template.</source>
        <translation>{path} 的部件超过 {limit} 个：可接受的是更简单的模板。</translation>
    </message>
    <message>
        <source>{path} has no slide layout: accepted is a template with one.</source>
        <translation>{path} 没有幻灯片版式：可接受的是带版式的模板。</translation>
    </message>
    <message>
        <source>{path} has no usable “schema_version”; accepted is a whole number from 1 to {limit}.</source>
        <translation>{path} 没有可用的“schema_version”；接受 1 到 {limit} 的整数。</translation>
    </message>
    <message>
        <source>{path} has schema version {version}, which cannot be read; accepted is up to {limit}.</source>
        <translation>{path} 的 schema 版本为 {version}，无法读取；最高接受 {limit}。</translation>
    </message>
    <message>
        <source>{path} has schema version {version}; this program reads up to {limit}: use a newer one.</source>
        <translation>{path} 的 schema 版本为 {version}；本程序最高读取 {limit}：请使用更新的版本。</translation>
    </message>
    <message>
        <source>{path} has slides of a size that holds no chart: accepted are 3 to 56 inches.</source>
        <translation>{path} 的幻灯片尺寸放不下图表：只接受 3 至 56 英寸。</translation>
    </message>
    <message>
        <source>{path} holds a preset of the kind {value}; accepted is {accepted}.</source>
        <translation>{path} 中预设的 kind 是 {value}；接受 {accepted}。</translation>
    </message>
    <message>
        <source>{path} holds no presentation that can be read: accepted is a .pptx.</source>
        <translation>{path} 中没有可读取的演示文稿：可接受的是 .pptx。</translation>
    </message>
    <message>
        <source>{path} holds no settings; the defaults are used.</source>
        <translation>{path} 不含设置；使用默认值。</translation>
    </message>
    <message>
        <source>{path} holds the preset “{id}”; accepted is a file of that name.</source>
        <translation>{path} 含有预设“{id}”；只接受与其同名的文件。</translation>
    </message>
    <message>
        <source>{path} holds too many lists and objects; accepted are {limit}.</source>
        <translation>{path} 含有过多的列表和对象；最多接受 {limit} 个。</translation>
    </message>
    <message>
        <source>{path} holds too many values; at most {limit} are accepted.</source>
        <translation>{path} 含有过多的值；最多接受 {limit} 个。</translation>
    </message>
    <message>
        <source>{path} is JSON of another kind; accepted is an object in {{ }}.</source>
        <translation>{path} 是另一类 JSON；只接受 {{ }} 中的对象。</translation>
    </message>
    <message>
        <source>{path} is a device; accepted is an ordinary file.</source>
        <translation>{path} 是设备；只接受普通文件。</translation>
    </message>
    <message>
        <source>{path} is a folder; accepted is an ordinary file.</source>
        <translation>{path} 是文件夹；只接受普通文件。</translation>
    </message>
    <message>
        <source>{path} is a pipe; accepted is an ordinary file.</source>
        <translation>{path} 是管道；只接受普通文件。</translation>
    </message>
    <message>
        <source>{path} is a preset, not a plan; import it into the presets instead.</source>
        <translation>{path} 是预设而不是计划；请将其导入预设库。</translation>
    </message>
    <message>
        <source>{path} is a socket; accepted is an ordinary file.</source>
        <translation>{path} 是套接字；只接受普通文件。</translation>
    </message>
    <message>
        <source>{path} is a symbolic link that leads back to itself; accepted is a file.</source>
        <translation>{path} 是指向自身的符号链接；只接受文件。</translation>
    </message>
    <message>
        <source>{path} is cut off in the middle of the plan that it carries; take a whole copy of it.</source>
        <translation>{path} 在其所含计划的中间被截断；请使用完整的副本。</translation>
    </message>
    <message>
        <source>{path} is empty; accepted is a JSON object.</source>
        <translation>{path} 是空文件；只接受 JSON 对象。</translation>
    </message>
    <message>
        <source>{path} is encrypted or an old presentation (.ppt): accepted is a .pptx without a password.</source>
        <translation>{path} 已加密或是旧式演示文稿 (.ppt)：可接受的是无密码的 .pptx。</translation>
    </message>
    <message>
        <source>{path} is larger than accepted: {size_bytes}, at most {limit_bytes}.</source>
        <translation>{path} 超过允许的大小：{size_bytes}，最多 {limit_bytes}。</translation>
    </message>
    <message>
        <source>{path} is larger than the {limit_bytes} that are accepted at most.</source>
        <translation>{path} 超过允许的最大值 {limit_bytes}。</translation>
    </message>
    <message>
        <source>{path} is larger than {limit_bytes}: accepted is a smaller template.</source>
        <translation>{path} 大于 {limit_bytes}：可接受的是更小的模板。</translation>
    </message>
    <message>
        <source>{path} is no intact document; accepted is a capacity record as .docx, .md or .pdf.</source>
        <translation>{path} 不是完好的文档；可接受的是 .docx、.md 或 .pdf 形式的容量记录。</translation>
    </message>
    <message>
        <source>{path} is no ordinary file, which alone is accepted.</source>
        <translation>{path} 不是普通文件，而只接受普通文件。</translation>
    </message>
    <message>
        <source>{path} is no plan; accepted is a JSON object with {accepted}.</source>
        <translation>{path} 不是计划；接受带有 {accepted} 的 JSON 对象。</translation>
    </message>
    <message>
        <source>{path} is no presentation or is damaged: accepted is a .pptx.</source>
        <translation>{path} 不是演示文稿或已损坏：可接受的是 .pptx。</translation>
    </message>
    <message>
        <source>{path} is no preset; accepted is a JSON object with {accepted}.</source>
        <translation>{path} 不是预设；接受带有 {accepted} 的 JSON 对象。</translation>
    </message>
    <message>
        <source>{path} is no recovery file; accepted is one that this program wrote.</source>
        <translation>{path} 不是恢复文件；只接受本程序写出的恢复文件。</translation>
    </message>
    <message>
        <source>{path} is one file under {names} names; saving would part them. Choose to part them, or save under another name.</source>
        <translation>{path} 是同一文件的 {names} 个名称之一；保存会使它们分开。请选择分开，或以其他名称保存。</translation>
    </message>
    <message>
        <source>{path} is read for this export and is not written over: choose another name.</source>
        <translation>本次导出要读取 {path}，不会覆盖它：请另选名称。</translation>
    </message>
    <message>
        <source>{path} is written in UTF-16 or is no text; accepted is UTF-8.</source>
        <translation>{path} 以 UTF-16 写成或不是文本；只接受 UTF-8。</translation>
    </message>
    <message>
        <source>{path} may not be written by you and is as it was; save to another place.</source>
        <translation>没有写入 {path} 的权限，文件保持原样；请保存到别处。</translation>
    </message>
    <message>
        <source>{path} names a part outside itself: accepted is a .pptx as an office program writes it.</source>
        <translation>{path} 指向其外部的部件：可接受的是办公软件所写的 .pptx。</translation>
    </message>
    <message>
        <source>{path} says it has schema version {version} but is not built like one; accepted is a plan as this program wrote it.</source>
        <translation>{path} 声称 schema 版本为 {version}，但结构不符；只接受本程序写出的计划。</translation>
    </message>
    <message>
        <source>{path} unpacks to more than is accepted: at most {limit_bytes} in {limit} parts.</source>
        <translation>{path} 解包后超出允许：最多 {limit_bytes}、{limit} 个部件。</translation>
    </message>
    <message>
        <source>{path} unpacks to more than it says or than {limit_bytes}: accepted is a smaller template.</source>
        <translation>{path} 解包后超过其声明或 {limit_bytes}：可接受的是更小的模板。</translation>
    </message>
    <message>
        <source>{path} was written by a newer program; accepted are records of version {limit}.</source>
        <translation>{path} 由更新的程序写成；可接受的是版本 {limit} 的记录。</translation>
    </message>
    <message>
        <source>{path} was written by a newer version and is open for reading only; save under another name.</source>
        <translation>{path} 由更新的版本写入，以只读方式打开；请以其他名称保存。</translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: half a character (a surrogate without its other half); accepted is whole text.</source>
        <translation>{path}，第 {line} 行第 {column} 列：半个字符（代理项缺少另一半）；只接受完整的文本。</translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: nested too deep; at most {limit} levels are accepted.</source>
        <translation>{path}，第 {line} 行第 {column} 列：嵌套过深；最多 {limit} 层。</translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: no valid JSON from here on.</source>
        <translation>{path}，第 {line} 行第 {column} 列：从此处起不是有效的 JSON。</translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: this text is too long; accepted is {limit_bytes}.</source>
        <translation>{path}，第 {line} 行第 {column} 列：此文本太长；最多 {limit_bytes}。</translation>
    </message>
    <message>
        <source>{path}, line {line}: no valid UTF-8; accepted is a UTF-8 text.</source>
        <translation>{path}，第 {line} 行：不是有效的 UTF-8；只接受 UTF-8 文本。</translation>
    </message>
    <message>
        <source>{path}, {where}: a key is longer than the {limit} characters accepted.</source>
        <translation>{path}，{where}：键超过允许的 {limit} 个字符。</translation>
    </message>
    <message>
        <source>{path}, {where}: a number is too large; accepted is below 1.8e308.</source>
        <translation>{path}，{where}：数字太大；须小于 1.8e308。</translation>
    </message>
    <message>
        <source>{path}, {where}: a number is too large; accepted is up to {limit}.</source>
        <translation>{path}，{where}：数字太大；最大接受 {limit}。</translation>
    </message>
    <message>
        <source>{path}: a plan with scenarios needs a baseline; name one of them.</source>
        <translation>{path}：含有方案的计划需要基线；请指定其中之一。</translation>
    </message>
    <message>
        <source>{path}: the baseline names no scenario of the plan; name one of them.</source>
        <translation>{path}：基线不是计划中的方案；请指定其中之一。</translation>
    </message>
    <message>
        <source>{path}: two scenarios have the same id; each needs its own.</source>
        <translation>{path}：两个方案的 ID 相同；ID 不能重复。</translation>
    </message>
    <message>
        <source>{path}: {where} does not end with quantile 1; accepted is a table up to the longest.</source>
        <translation>{path}：{where} 没有以分位数 1 结尾；须是到最长为止的表。</translation>
    </message>
    <message>
        <source>{path}: {where} gives prefix groups {percent} % of the requests; accepted is 100 %.</source>
        <translation>{path}：{where} 的前缀组占请求的 {percent} %；最多 100 %。</translation>
    </message>
    <message>
        <source>{path}: {where} has quantile {q} with {tokens} tokens after {previous_q} with {previous_tokens}; accepted are points that rise.</source>
        <translation>{path}：{where} 在 {previous_q} 的 {previous_tokens} 个 token 之后，分位数 {q} 为 {tokens} 个 token；各点须递增。</translation>
    </message>
    <message>
        <source>{path}: {where} holds the character {character}, which no text field takes; accepted are printable characters.</source>
        <translation>{path}：{where} 含有字符 {character}，文本字段不接受；只接受可打印字符。</translation>
    </message>
    <message>
        <source>{path}: {where} holds {found} keys that are not known here ({keys}); at most {limit} are kept.</source>
        <translation>{path}：{where} 含有 {found} 个不被识别的键（{keys}）；最多保留 {limit} 个。</translation>
    </message>
    <message>
        <source>{path}: {where} holds {layers} layers; at most {limit} are accepted.</source>
        <translation>{path}：{where} 含有 {layers} 层；最多接受 {limit} 层。</translation>
    </message>
    <message>
        <source>{path}: {where} is longer than the {limit} characters accepted.</source>
        <translation>{path}：{where} 超过允许的 {limit} 个字符。</translation>
    </message>
    <message>
        <source>{path}: {where} is longer than the {limit} entries accepted.</source>
        <translation>{path}：{where} 超过允许的 {limit} 项。</translation>
    </message>
    <message>
        <source>{path}: {where} is missing; accepted is {accepted}.</source>
        <translation>{path}：缺少 {where}；接受 {accepted}。</translation>
    </message>
    <message>
        <source>{path}: {where} is missing; it is needed.</source>
        <translation>{path}：缺少 {where}，它是必需的。</translation>
    </message>
    <message>
        <source>{path}: {where} is not known here; accepted is a file without it.</source>
        <translation>{path}：不认识 {where}；请从文件中去掉。</translation>
    </message>
    <message>
        <source>{path}: {where} is of the kind {kind} but has the fields of {owner}, which do not go together; accepted is &quot;kind&quot;: {owner}, and the engine can then be changed in the window.</source>
        <translation>{path}：{where} 的 kind 是 {kind}，字段却属于 {owner}，两者不相符；接受 &quot;kind&quot;: {owner}，之后可在窗口中更换引擎。</translation>
    </message>
    <message>
        <source>{path}: {where} is too fine; accepted is 0 or at least 0.000000001.</source>
        <translation>{path}：{where} 过于精细；接受 0 或至少 0.000000001。</translation>
    </message>
    <message>
        <source>{path}: {where} is too short; accepted are lists of {limit} or more entries.</source>
        <translation>{path}：{where} 太短；列表至少要有 {limit} 项。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}, which is not accepted ({rule}).</source>
        <translation>{path}：{where} 为 {value}，不被接受（{rule}）。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}; accepted are texts of {limit} or more characters.</source>
        <translation>{path}：{where} 是 {value}；文本至少要有 {limit} 个字符。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}; accepted are {accepted}.</source>
        <translation>{path}：{where} 为 {value}；接受{accepted}。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}; accepted is at least {limit}.</source>
        <translation>{path}：{where} 为 {value}；至少为 {limit}。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}; accepted is at most {limit}.</source>
        <translation>{path}：{where} 为 {value}；最多为 {limit}。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}; accepted is {accepted}.</source>
        <translation>{path}：{where} 为 {value}；接受 {accepted}。</translation>
    </message>
    <message>
        <source>{path}: {where} is {value}; accepted under the kind {kind} is {accepted}.</source>
        <translation>{path}：{where} 是 {value}；在 kind 为 {kind} 时接受 {accepted}。</translation>
    </message>
    <message>
        <source>{path}: {where} makes a replica of {ranks} ranks (tp × pp); at most {limit} are accepted.</source>
        <translation>{path}：{where} 使一个副本有 {ranks} 个 rank（tp × pp）；最多接受 {limit} 个。</translation>
    </message>
    <message>
        <source>{path}: {where} names the tensor “{name}” twice; accepted is once, with copies.</source>
        <translation>{path}：{where} 两次写了张量“{name}”；只能写一次，并注明份数。</translation>
    </message>
    <message>
        <source>{path}: {where} names {stages} pipeline stages and pp is {pp}; accepted is as many.</source>
        <translation>{path}：{where} 写了 {stages} 个流水线阶段，而 pp 为 {pp}；两者须相同。</translation>
    </message>
    <message>
        <source>{path}: {where} stands twice in its object; accepted is once.</source>
        <translation>{path}：{where} 在其对象中出现两次；只能出现一次。</translation>
    </message>
    <message>
        <source>{path}: {where} takes either size_bytes or share, exactly one of them.</source>
        <translation>{path}：{where} 只能是 size_bytes 或 share 二者之一。</translation>
    </message>
    <message>
        <source>{place}, stage {stage}</source>
        <translation>{place}，阶段 {stage}</translation>
    </message>
    <message>
        <source>{place}: decides</source>
        <translation>{place}：起决定作用</translation>
    </message>
    <message>
        <source>{planned_tokens} tokens are planned</source>
        <translation>规划 {planned_tokens} token</translation>
    </message>
    <message>
        <source>{pp} pipeline stages for {layers} layers: PP must not exceed the number of layers.</source>
        <translation>{layers} 层分为 {pp} 个流水线阶段：PP 不能超过层数。</translation>
    </message>
    <message>
        <source>{requested_bytes} are asked for, {free_bytes} are free at start: {used_bytes} are in use before. Lower the GPU memory utilization.</source>
        <translation>申请 {requested_bytes}，启动时空闲 {free_bytes}：之前已占用 {used_bytes}。请降低显存利用率。</translation>
    </message>
    <message>
        <source>{requests} requests</source>
        <translation>{requests} 个请求</translation>
    </message>
    <message>
        <source>{reserve}, of which {kept_bytes} is left</source>
        <translation>{reserve}，其中剩 {kept_bytes}</translation>
    </message>
    <message>
        <source>{run}, window {window_tokens}</source>
        <translation>{run}，窗口 {window_tokens}</translation>
    </message>
    <message>
        <source>{sequences} slots: the engine has at most {limit}.</source>
        <translation>{sequences} 个槽：引擎最多 {limit} 个。</translation>
    </message>
    <message>
        <source>{share} of the card</source>
        <translation>显卡的 {share}</translation>
    </message>
    <message>
        <source>{size} ({delta})</source>
        <translation>{size} ({delta})</translation>
    </message>
    <message>
        <source>{size} B</source>
        <translation>{size} B</translation>
    </message>
    <message>
        <source>{size} B ({shown})</source>
        <translation>{size} B（{shown}）</translation>
    </message>
    <message>
        <source>{slots} state slots serve no request, each takes {each}: raise the static fraction or the state memory ratio.</source>
        <translation>{slots} 个状态槽位不够一个请求使用，每个请求需 {each} 个：请提高静态份额或状态显存比例。</translation>
    </message>
    <message>
        <source>{text} can mean {whole} or {decimal}: type one of these.</source>
        <translation>{text} 可以表示 {whole} 或 {decimal}：请输入其中之一。</translation>
    </message>
    <message>
        <source>{text} cannot be read: type {accepted}.</source>
        <translation>无法读取 {text}：请输入{accepted}。</translation>
    </message>
    <message>
        <source>{text} is below zero: type {accepted}.</source>
        <translation>{text} 小于零：请输入{accepted}。</translation>
    </message>
    <message>
        <source>{text} is no share: type a value from 0 to 1, or 0 % to 100 %.</source>
        <translation>{text} 不是比例：请输入 0 到 1，或 0 % 到 100 %。</translation>
    </message>
    <message>
        <source>{text} is too large: type {accepted}, below 9.2 × 10¹⁸.</source>
        <translation>{text} 太大：请输入{accepted}，须小于 9.2 × 10¹⁸。</translation>
    </message>
    <message>
        <source>{text} is too small: type {accepted}, 0 or at least 0.000000001.</source>
        <translation>{text} 太小：请输入{accepted}，0 或至少 0.000000001。</translation>
    </message>
    <message>
        <source>{text} is {value}, no whole number: type {accepted}.</source>
        <translation>{text} 为 {value}，不是整数：请输入{accepted}。</translation>
    </message>
    <message>
        <source>{text} needs a value to multiply: type {accepted}.</source>
        <translation>{text} 需要一个可相乘的数值：请输入{accepted}。</translation>
    </message>
    <message>
        <source>{title} ({number})</source>
        <translation>{title}（{number}）</translation>
    </message>
    <message>
        <source>{title}: {subject}</source>
        <translation>{title}：{subject}</translation>
    </message>
    <message>
        <source>{value} ({factor})</source>
        <translation>{value} ({factor})</translation>
    </message>
    <message>
        <source>{value} blocks</source>
        <translation>{value} 块</translation>
    </message>
    <message>
        <source>{value} requests</source>
        <translation>{value} 个请求</translation>
    </message>
    <message>
        <source>{verdict}, near the limit</source>
        <translation>{verdict}，接近上限</translation>
    </message>
    <message>
        <source>{verdict}, without weights</source>
        <translation>{verdict}，不含权重</translation>
    </message>
    <message>
        <source>{what}: {moves}</source>
        <translation>{what}：{moves}</translation>
    </message>
    <message>
        <source>{x} by {y}, {name}</source>
        <translation>{x} × {y}，{name}</translation>
    </message>
    <message>
        <source>“{text}” is no engine known here: accepted is {accepted}.</source>
        <translation>不认识引擎“{text}”：接受 {accepted}。</translation>
    </message>
    <message>
        <source>“{text}” is no preset in {kind}; close to it: {candidates}.</source>
        <translation>{kind} 中没有预设“{text}”；相近的有：{candidates}。</translation>
    </message>
    <message>
        <source>“{text}” is no preset in {kind}; “kvw presets list” shows them all.</source>
        <translation>{kind} 中没有预设“{text}”；“kvw presets list”列出全部。</translation>
    </message>
    <message>
        <source>“{text}” is no release of {engine} known here: accepted is {accepted}.</source>
        <translation>不认识 {engine} 的版本“{text}”：接受 {accepted}。</translation>
    </message>
    <message>
        <source>“{text}” means several presets in {kind}; name one: {candidates}.</source>
        <translation>“{text}”在 {kind} 中对应多个预设；请指明一个：{candidates}。</translation>
    </message>
    <message>
        <source>“{text}” names no release; accepted is one such as {accepted}.</source>
        <translation>“{text}”不是版本号；接受例如 {accepted}。</translation>
    </message>
    <message>
        <source>★ {name}</source>
        <translation>★ {name}</translation>
    </message>
</context>
</TS>
